import { noUsage, type RunEvent } from "@troupe/schema";
import { expect, test } from "vitest";
import { header } from "../test/scripted.ts";
import { createRunState, foldLog } from "./run-state.ts";

const usage = { ...noUsage, calls: 1, inputTokens: 10, usd: 0.5 };
const activation = (id: number, after: number[] = [], agent?: string) => ({
  ...{ id, kind: "act" as const, inputs: [], after, scope: "", label: `a${id}`, priority: 0, meta: {} },
  ...(agent !== undefined && { agent }),
});
const call = { activation: 0, attempt: 1, call: 0, model: "m", request: "r" };
const error = { code: "internal", message: "no", retryable: false };

const log: RunEvent[] = [
  { ...header({ tokens: 5 }), seq: 0, at: 1000 },
  {
    kind: "step",
    cause: { kind: "start" },
    step: { start: [activation(0, [], "coder"), activation(1, [0]), activation(2, [0, 1])], cancel: [] },
    seq: 1,
    at: 1000,
  },
  { kind: "activation.began", activation: 0, attempt: 1, seq: 2, at: 2000 },
  { kind: "call.started", ...call, reserved: { tokens: 20, usd: 1 }, seq: 3, at: 2000 },
  { kind: "call.settled", ...call, endpoint: "e", usage, seq: 4, at: 3000 },
  { kind: "activation.settled", activation: 0, state: "done", usage, seconds: 1, seq: 5, at: 3000 },
  { kind: "activation.began", activation: 1, attempt: 1, seq: 6, at: 3000 },
  { kind: "activation.retried", activation: 1, attempt: 1, error, delaySeconds: 1, seq: 7, at: 4000 },
  { kind: "activation.began", activation: 1, attempt: 2, seq: 8, at: 5000 },
  { kind: "activation.settled", activation: 1, state: "failed", error, usage: noUsage, seconds: 2, seq: 9, at: 6000 },
  { kind: "activation.settled", activation: 2, state: "cancelled", error, usage: noUsage, seconds: 0, seq: 10, at: 6000 },
  { kind: "run.ended", outcome: { kind: "failed", error }, usage, seconds: 5, seq: 11, at: 6000 },
  { kind: "run.resumed", limits: { tokens: 9 }, redo: [1, 2], seq: 12, at: 9000 },
];

function states(length: number): string[] {
  return foldLog(log.slice(0, length)).rows.map((row) => row.state);
}

test("foldLog() follows each activation through its life", () => {
  expect(states(2)).toEqual(["ready", "waiting", "waiting"]);
  expect(states(3)).toEqual(["running", "waiting", "waiting"]);
  expect(states(6)).toEqual(["done", "ready", "waiting"]);
  expect(states(8)).toEqual(["done", "ready", "waiting"]);
  expect(states(9)).toEqual(["done", "running", "waiting"]);
  expect(states(11)).toEqual(["done", "failed", "cancelled"]);
  expect(states(13)).toEqual(["done", "ready", "waiting"]);
});

test("foldLog() counts states, attempts and times", () => {
  const ended = foldLog(log.slice(0, 12));
  expect(ended.counts).toEqual({ waiting: 0, ready: 0, running: 0, done: 1, failed: 1, cancelled: 1 });
  expect(ended.rows[1]).toMatchObject({ attempt: 2, failures: 1, beganAt: 3000, settledAt: 6000, error });
  expect(ended.outcome).toMatchObject({ kind: "failed" });
  const resumed = foldLog(log);
  expect(resumed.rows[1]).toMatchObject({ attempt: 3, failures: 0, error: undefined });
  expect(resumed.outcome).toBeUndefined();
  expect(resumed).toMatchObject({ sessions: 2, earlierSeconds: 5, sessionStartedAt: 9000, limits: { tokens: 9 } });
});

test("foldLog() counts usage by activation and by agent, and knows which calls are open", () => {
  expect([...foldLog(log.slice(0, 4)).openCalls.keys()]).toEqual(["0/1/0"]);
  const state = foldLog(log);
  expect(state.openCalls.size).toBe(0);
  expect(state.usage).toEqual(usage);
  expect(state.rows[0]?.usage).toEqual(usage);
  expect([...state.usageByAgent]).toEqual([["coder", usage]]);
});

test("foldLog() takes the time up to a crash as the session's seconds", () => {
  const crashed = [...log.slice(0, 9), { ...log[12], seq: 9 } as RunEvent];
  expect(foldLog([...crashed.slice(0, 9), { kind: "run.resumed", limits: {}, redo: [], seq: 9, at: 99_000 }])).toMatchObject({
    earlierSeconds: 4,
    counts: { running: 0, ready: 1 },
  });
});

test("createRunState() knows the runs' running activations while events come", () => {
  const state = createRunState();
  const running = log.slice(0, 12).map((event) => {
    state.apply(event);
    return [...state.running];
  });
  expect(running.map((ids) => ids.join())).toEqual(["", "", "0", "0", "0", "", "1", "", "1", "", "", ""]);
});

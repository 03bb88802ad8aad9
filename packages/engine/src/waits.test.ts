import { setImmediate } from "node:timers/promises";
import type { ActivationDraft, ActivationRunner, Director, RunEvent, RunStore } from "@troupe/schema";
import { expect, test } from "vitest";
import { options, run, sign } from "../test/scripted.ts";
import { createMemoryStore, createRunState, createVirtualClock, executeRun, foldLog, replayRun, resumeRun } from "./index.ts";

const question = (label: string, from: readonly number[] = []): ActivationDraft => ({
  kind: "wait",
  label,
  inputs: from.map((id) => ({ name: `from ${id}`, from: id })),
  wait: { ask: `${label}?` },
});
const job = (label: string, from: readonly number[] = []): ActivationDraft => ({ ...question(label, from), kind: "act", wait: undefined });

/** Starts these at once; the last one's output is the product. */
function drafts(...start: ActivationDraft[]): Director {
  const product = start.length - 1;
  return {
    start: () => ({ start }),
    settled: ({ activation, artifact, error }) => {
      if (error !== undefined) return { finish: { kind: "failed", error } };
      return activation === product && artifact !== undefined ? { finish: { kind: "completed", artifact } } : {};
    },
    notice: () => ({}),
    idle: () => ({ deadlocked: ["nobody"] }),
    best: () => undefined,
  };
}

/** People who answer after some seconds of a clock, and who know how often they were asked. */
function people(clock: { sleep(milliseconds: number, signal: AbortSignal): Promise<void> }, seconds: number) {
  const asked: string[] = [];
  const wait: ActivationRunner = async ({ activation, signal }) => {
    asked.push(activation.wait?.ask ?? "");
    await clock.sleep(seconds * 1000, signal);
    return { kind: "text", text: `answer to ${activation.label}` };
  };
  return { asked, wait };
}

/** What of a run's log was suspended: seconds from event to event. */
function suspensions(events: readonly RunEvent[]): number[] {
  const state = createRunState();
  const seconds: number[] = [];
  for (const event of events) {
    const since = state.suspendedSince;
    state.apply(event);
    if (since !== undefined && state.suspendedSince === undefined) seconds.push((event.at - since) / 1000);
  }
  return seconds;
}

test("executeRun() lets any number of waits run beside its slots, and without a time limit", async () => {
  const clock = createVirtualClock();
  const { asked, wait } = people(clock, 5000);
  const running: number[] = [];
  const act: ActivationRunner = async (context) => {
    running.push(asked.length);
    await clock.sleep(1000, context.signal);
    return sign(context);
  };
  const director = drafts(question("a"), question("b"), question("c"), job("d"), job("e"), job("f", [0, 1, 2, 3, 4]));
  const limits = { parallel: 1, activationSeconds: 2, attempts: 1 };
  const { outcome, seconds } = await clock.runUntil(run({ clock, director, limits, runners: { act, wait } }));
  expect(outcome.kind).toBe("completed");
  expect(asked).toEqual(["a?", "b?", "c?"]);
  expect(running).toEqual([3, 3, 3]);
  expect(seconds).toBe(5001);
});

test("executeRun() does not count the time in which it only waits for people", async () => {
  const clock = createVirtualClock();
  const { wait } = people(clock, 900);
  const act: ActivationRunner = async (context) => {
    await clock.sleep(6000, context.signal);
    return sign(context);
  };
  const store = createMemoryStore();
  const director = drafts(job("a"), question("b", [0]), job("c", [1]), job("d", [2]));
  const limits = { seconds: 15 };
  const { outcome, seconds } = await clock.runUntil(run({ clock, store, director, limits, runners: { act, wait } }));
  expect(outcome).toMatchObject({ kind: "exhausted", limit: "seconds", used: 15 });
  expect(seconds).toBe(915);
  expect(suspensions(store.events("test"))).toEqual([900]);
  const state = foldLog(store.events("test"));
  expect(state.elapsedSeconds(clock.now() + 1e9)).toBe(15);
});

test("executeRun() counts the time of work beside a wait, and is not suspended between two attempts", async () => {
  const clock = createVirtualClock();
  const { wait } = people(clock, 100);
  const act: ActivationRunner = async (context) => {
    await clock.sleep(30_000, context.signal);
    return sign(context);
  };
  const store = createMemoryStore();
  const director = drafts(question("a"), job("b"), job("c", [0, 1]));
  const { outcome } = await clock.runUntil(run({ clock, store, director, limits: { seconds: 70 }, runners: { act, wait } }));
  expect(outcome.kind).toBe("completed");
  expect(suspensions(store.events("test"))).toEqual([70]);
  expect(foldLog(store.events("test")).elapsedSeconds(0)).toBe(60);
});

test("executeRun() drains without waiting for people", async () => {
  const clock = createVirtualClock();
  const { wait } = people(clock, 900);
  const store = createMemoryStore();
  const going = executeRun(options({ clock, store, director: drafts(question("a")), runners: { act: sign, wait } }));
  await setImmediate();
  going.drain("enough");
  const { outcome, seconds } = await clock.runUntil(going.result);
  expect([outcome, seconds]).toEqual([{ kind: "cancelled", reason: "enough" }, 0]);
});

test("executeRun() stops a wait that the director cancels", async () => {
  const clock = createVirtualClock();
  const { wait } = people(clock, 900);
  const director: Director = {
    ...drafts(question("a"), job("b")),
    settled: ({ activation, artifact }) =>
      activation === 1
        ? { cancel: [0] }
        : { finish: { kind: "failed", error: { code: "x", message: artifact?.hash ?? "none", retryable: false } } },
  };
  const store = createMemoryStore();
  const { seconds } = await clock.runUntil(run({ clock, store, director, runners: { act: sign, wait } }));
  expect(seconds).toBe(0);
  expect(foldLog(store.events("test")).rows[0]).toMatchObject({ state: "cancelled" });
});

interface Session {
  readonly store: RunStore;
  readonly asked: string[];
  readonly director: Director;
}

/** A run with two questions, one after the other, that is stopped while the second waits: by Ctrl-C, or as by `kill -9`. */
async function stoppedAtSecond(how: "Ctrl-C" | "crash"): Promise<Session> {
  const clock = createVirtualClock();
  const { asked, wait } = people(clock, 60);
  const user = new AbortController();
  const store = createMemoryStore();
  const director = () => drafts(question("a"), question("b", [0]), job("c", [1]));
  const going = executeRun(options({ clock, store, director: director(), runners: { act: sign, wait }, signal: user.signal }));
  await clock.advance(90_000);
  const log = store.events("test");
  expect(foldLog(log)).toMatchObject({ suspendedSince: 60_000, outcome: undefined });
  user.abort("Ctrl-C");
  await clock.runUntil(going.result);
  if (how === "Ctrl-C") return { store, asked, director: director() };
  const crashed = createMemoryStore();
  for (const { hash } of log.flatMap((event) => (event.kind === "activation.settled" && event.artifact ? [event.artifact] : [])))
    crashed.put(store.get({ hash }));
  crashed.append("test", log, 0);
  return { store: crashed, asked, director: director() };
}

test.each(["Ctrl-C", "crash"] as const)("resumeRun() after %s asks an open question again, and an answered one never", async (how) => {
  const { store, asked, director } = await stoppedAtSecond(how);
  expect(asked).toEqual(["a?", "b?"]);
  const clock = createVirtualClock(200_000);
  const again = people(clock, 60);
  const runners = { act: sign, wait: again.wait };
  const resumed = resumeRun({ ...options({ clock, store, runners }), director, limits: { seconds: 1 } });
  const { outcome, seconds } = await clock.runUntil(resumed.result);
  expect(outcome.kind).toBe("completed");
  expect(again.asked).toEqual(["b?"]);
  expect(seconds).toBe(60);
  expect(foldLog(store.events("test")).elapsedSeconds(0)).toBe(0);
});

test("resumeRun() asks again where nobody could be asked", async () => {
  const store = createMemoryStore();
  const failing: ActivationRunner = () => Promise.reject(new Error("nobody"));
  const director = () => drafts(question("a"), job("b", [0]));
  const first = await run({ store, director: director(), runners: { act: sign, wait: failing } });
  expect(first.outcome.kind).toBe("failed");
  const wait: ActivationRunner = () => Promise.resolve({ kind: "text", text: "yes" });
  const { outcome } = await resumeRun({ ...options({ store, runners: { act: sign, wait } }), director: director() }).result;
  expect(outcome.kind).toBe("completed");
});

test("replayRun() asks nobody, and takes an answer as it was", async () => {
  const store = createMemoryStore();
  const director = () => drafts(question("a"), job("b", [0]));
  const wait: ActivationRunner = () => Promise.resolve({ kind: "text", text: "yes" });
  await run({ store, director: director(), runners: { act: sign, wait } });
  const { signal } = new AbortController();
  const parts = [];
  const models = { info: () => expect.unreachable() };
  for await (const part of replayRun({ run: "test", director, store, models, runners: { act: sign }, signal })) parts.push(part);
  expect(parts.map(({ kind, same }) => [kind, same])).toEqual([
    ["step", true],
    ["step", true],
    ["step", true],
    ["activation", true],
  ]);
});

test("executeRun() keeps what is asked in the log", async () => {
  const store = createMemoryStore();
  const wait = { ask: "Which?", options: ["x", "y"], seconds: 5, otherwise: "x" };
  await run({ store, director: drafts({ ...question("a"), wait }), runners: { wait: () => Promise.resolve({ kind: "text", text: "" }) } });
  expect(foldLog(store.events("test")).rows[0]?.activation.wait).toEqual(wait);
});

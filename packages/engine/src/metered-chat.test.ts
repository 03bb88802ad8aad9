import { type ActivationRunner, type ChatRequest, TroupeError, type WatchedEvent } from "@troupe/schema";
import fc from "fast-check";
import { expect, test } from "vitest";
import { allAtOnce, ask, count, type Dag, options, question, run, scriptedModels, sign } from "../test/scripted.ts";
import { createMemoryStore, createVirtualClock, executeRun, foldLog } from "./index.ts";

const wide = (n: number): Dag => Array.from({ length: n }, () => []);

test("context.chat() logs a call before it is sent, and its answer before it is given on", async () => {
  const store = createMemoryStore();
  const models = scriptedModels(() => {
    expect(store.events("test").at(-1)).toMatchObject({ kind: "call.started", reserved: { tokens: 100, usd: 0.01 } });
    return "42";
  });
  const act: ActivationRunner = async (context) => {
    const answer = await context.chat(question("why?"));
    const settled = store.events("test").find((event) => event.kind === "call.settled");
    expect(settled?.kind === "call.settled" && settled.answer && store.get(settled.answer)).toEqual({ kind: "json", value: answer });
    expect(settled?.kind === "call.settled" && settled.messages && store.get(settled.messages)).toMatchObject({
      value: [{ role: "user", content: "why?" }],
    });
    return { kind: "text", text: answer.text };
  };
  const { outcome, usage } = await run({ store, models, runners: { act } });
  expect(outcome.kind).toBe("completed");
  expect(usage).toMatchObject({ calls: 1, inputTokens: 50, outputTokens: 50, usd: 0.01 });
});

test("context.chat() gives each call a seed of its own, the same in the same run, another in a retry", async () => {
  const seeds = async (fails: boolean): Promise<(number | undefined)[]> => {
    const clock = createVirtualClock();
    const models = scriptedModels((_, __, call) => {
      if (fails && call === 1) throw new TroupeError("model_failed", "500");
      return "x";
    });
    const act: ActivationRunner = async (context) => {
      await context.chat(question("a"));
      await context.chat(question("a"));
      await context.chat({ ...question("a"), seed: 5 });
      return sign(context);
    };
    await clock.runUntil(run({ clock, models, runners: { act } }));
    return models.asked.map((request: ChatRequest) => request.seed);
  };
  const plain = await seeds(false);
  expect(new Set(plain).size).toBe(3);
  expect(plain[2]).toBe(5);
  expect(await seeds(false)).toEqual(plain);
  const retried = await seeds(true);
  expect(retried.slice(0, 2)).toEqual(plain.slice(0, 2));
  expect(new Set(retried.slice(0, 4)).size).toBe(4);
});

test("context.chat() shows deltas to watchers and keeps them out of the log", async () => {
  const models = scriptedModels((_, { onDelta }) => {
    onDelta?.("4");
    return "2";
  });
  const some = options({ models, runners: { act: ask } });
  const seen: WatchedEvent[] = [];
  for await (const event of executeRun(some)) seen.push(event);
  const text = seen.flatMap((event) => (event.kind === "call.delta" ? [event.text] : [])).join("");
  expect(text).toBe("42");
  expect(some.store.events("test").map((event) => event.kind)).not.toContain("call.delta");
});

test("context.chat() counts the usage of each call for its own activation and agent", async () => {
  const store = createMemoryStore();
  const models = scriptedModels(() => "x");
  const act: ActivationRunner = async (context) => {
    for (let i = 0; i <= context.activation.id; i++) await context.chat(question(`${i}`));
    return sign(context);
  };
  const { usage } = await run({ director: allAtOnce(wide(5)), store, models, runners: { act } });
  const state = foldLog(store.events("test"));
  expect(state.rows.map((row) => row.usage.calls)).toEqual([1, 2, 3, 4, 5]);
  expect(usage.calls).toBe(15);
  expect(state.usageByAgent.get("act")?.calls).toBe(15);
  const settled = store.events("test").flatMap((event) => (event.kind === "activation.settled" ? [event.usage.calls] : []));
  expect(settled.reduce((a, b) => a + b)).toBe(15);
});

test("context.chat() logs a failed call, and charges it only when the server had it", async () => {
  for (const [code, deltas, tokens] of [
    ["model_unreachable", 0, 0],
    ["model_timeout", 0, 50],
    ["model_garbage", 40, 60],
    ["model_failed", 40, 60],
    ["model_failed", 0, 0],
  ] as const) {
    const store = createMemoryStore();
    const models = scriptedModels((_, { onDelta }) => {
      if (deltas > 0) onDelta?.("y".repeat(deltas));
      throw new TroupeError(code, "bad", { retryable: false });
    });
    const { usage, outcome } = await run({ store, models, runners: { act: ask } });
    expect(outcome).toMatchObject({ kind: "failed", error: { code } });
    expect(usage.inputTokens + usage.outputTokens).toBe(tokens);
    expect(usage.estimated).toBe(tokens > 0);
    expect(store.events("test")).toContainEqual(
      expect.objectContaining({ kind: "call.settled", error: expect.objectContaining({ code }) }),
    );
    expect(foldLog(store.events("test")).openCalls.size).toBe(0);
  }
});

test("executeRun() ends as exhausted with the best artifact when a call can't start any more", async () => {
  const store = createMemoryStore();
  const models = scriptedModels(() => "x");
  const base = allAtOnce(Array.from({ length: 9 }, (_, i) => (i === 0 ? [] : [i - 1])));
  const director = { ...base, best: (view: Parameters<typeof base.best>[0]) => view.output(0) };
  const { outcome, artifact } = await run({ director, store, models, runners: { act: ask }, limits: { tokens: 250 } });
  expect(outcome).toMatchObject({ kind: "exhausted", limit: "tokens", allowed: 250, used: 300, artifact });
  expect(artifact).toBeDefined();
  expect(models.asked).toHaveLength(3);
  expect(foldLog(store.events("test")).counts).toMatchObject({ done: 3, failed: 0 });
});

test("executeRun() never makes more calls than allowed, whatever runs side by side", async () => {
  await fc.assert(
    fc.asyncProperty(fc.integer({ min: 1, max: 12 }), fc.integer({ min: 1, max: 8 }), async (calls, parallel) => {
      const models = scriptedModels(() => "x");
      const { outcome } = await run({ director: allAtOnce(wide(10)), models, runners: { act: ask }, limits: { calls, parallel } });
      expect(outcome.kind).toBe(calls < 10 ? "exhausted" : "completed");
      expect(models.asked.length).toBe(Math.min(10, calls));
    }),
    { numRuns: 40 },
  );
});

test("executeRun() goes over a money limit by at most one call per slot", async () => {
  await fc.assert(
    fc.asyncProperty(fc.integer({ min: 1, max: 30 }), fc.integer({ min: 1, max: 8 }), async (cents, parallel) => {
      const models = scriptedModels(() => "x");
      const limits = { usd: cents / 100 + 0.005, parallel };
      const { usage } = await run({ director: allAtOnce(wide(40)), models, runners: { act: ask }, limits });
      expect(usage.usd).toBeLessThanOrEqual(limits.usd + parallel * 0.01);
    }),
    { numRuns: 40 },
  );
});

test("executeRun() ends as exhausted when its seconds are over, also in the middle of a runner", async () => {
  const clock = createVirtualClock();
  const act: ActivationRunner = async (context) => {
    await clock.sleep(1e6, context.signal);
    return sign(context);
  };
  const { outcome, seconds } = await clock.runUntil(run({ clock, runners: { act }, limits: { seconds: 12 } }));
  expect(outcome).toEqual({ kind: "exhausted", limit: "seconds", allowed: 12, used: 12 });
  expect(seconds).toBe(12);
});

test("context.report() logs the use of a tool in its place", async () => {
  const store = createMemoryStore();
  const act: ActivationRunner = (context) => {
    context.report({ tool: "run_program", input: "main.py", output: "ok", ok: true, exitCode: 0, sandbox: "none", seconds: 1 });
    return sign(context);
  };
  await run({ store, runners: { act } });
  const kinds = store.events("test").map((event) => event.kind);
  expect(kinds).toEqual(["run.started", "step", "activation.began", "tool.used", "activation.settled", "step", "run.ended"]);
  expect(count(store.events("test"), "tool.used")).toBe(1);
});

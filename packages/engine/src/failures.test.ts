import { setImmediate } from "node:timers/promises";
import { type ActivationRunner, type RunStore, TroupeError } from "@troupe/schema";
import { expect, test } from "vitest";
import { allAtOnce, count, options, run, sign, stepByStep } from "../test/scripted.ts";
import { createMemoryStore, createVirtualClock, executeRun, foldLog } from "./index.ts";

const busy = new TroupeError("model_rate_limited", "Slow down.");

/** Fails the first times, then signs. */
function failing(times: number, error: unknown): ActivationRunner {
  let calls = 0;
  return (context) => (calls++ < times ? Promise.reject(error) : sign(context));
}

test("executeRun() tries a retryable failure again after a growing delay, and holds no slot while it waits", async () => {
  const clock = createVirtualClock();
  const store = createMemoryStore();
  const order: string[] = [];
  const flaky = failing(2, busy);
  const act: ActivationRunner = (context) => {
    order.push(`${context.activation.label} attempt ${context.attempt}`);
    return context.activation.id === 0 ? flaky(context) : sign(context);
  };
  const director = allAtOnce([[], [], [0, 1]]);
  const { outcome } = await clock.runUntil(run({ director, store, clock, runners: { act }, limits: { parallel: 1 } }));
  expect(outcome.kind).toBe("completed");
  expect(order).toEqual(["node 0 attempt 1", "node 1 attempt 1", "node 0 attempt 2", "node 0 attempt 3", "node 2 attempt 1"]);
  const delays = store.events("test").flatMap((event) => (event.kind === "activation.retried" ? [event.delaySeconds] : []));
  expect(delays).toHaveLength(2);
  expect(delays[0]).toBeGreaterThanOrEqual(0.25);
  expect(delays[0]).toBeLessThanOrEqual(0.5);
  expect(delays[1]).toBeGreaterThanOrEqual(0.5);
  expect(delays[1]).toBeLessThanOrEqual(1);
});

test("executeRun() waits as long as a server asks for", async () => {
  const clock = createVirtualClock();
  const error = new TroupeError("model_rate_limited", "Slow down.", { retryAfterSeconds: 77 });
  const { seconds } = await clock.runUntil(run({ clock, runners: { act: failing(1, error) } }));
  expect(seconds).toBe(77);
});

test("executeRun() gives up after limits.attempts, and at once when the error will not pass", async () => {
  const clock = createVirtualClock();
  for (const [error, attempts, tried] of [
    [busy, 2, 2],
    [busy, undefined, 3],
    [new TroupeError("answer_unusable", "No code."), 5, 1],
    [new Error("foreign"), 5, 1],
  ] as const) {
    const store = createMemoryStore();
    const limits = attempts === undefined ? {} : { attempts };
    const { outcome } = await clock.runUntil(run({ clock, store, limits, runners: { act: failing(99, error) } }));
    expect(outcome).toMatchObject({ kind: "failed", error: { message: error.message } });
    expect(count(store.events("test"), "activation.began")).toBe(tried);
  }
});

test("executeRun() ends an attempt that takes too long, and tries it again", async () => {
  const clock = createVirtualClock();
  const store = createMemoryStore();
  const act: ActivationRunner = async (context) => {
    if (context.attempt === 1) await clock.sleep(60_000, context.signal);
    return sign(context);
  };
  const { outcome } = await clock.runUntil(run({ clock, store, limits: { activationSeconds: 2 }, runners: { act } }));
  expect(outcome.kind).toBe("completed");
  const retried = store.events("test").find((event) => event.kind === "activation.retried");
  expect(retried).toMatchObject({ at: 2000, error: { code: "activation_timeout" } });
});

test("executeRun() gives up a runner that ignores its time limit", async () => {
  const clock = createVirtualClock();
  const act: ActivationRunner = () => new Promise(() => undefined);
  const limits = { activationSeconds: 2, attempts: 1 };
  const { outcome, seconds } = await clock.runUntil(run({ clock, limits, runners: { act } }));
  expect(outcome).toMatchObject({ kind: "failed", error: { code: "activation_timeout" } });
  expect(seconds).toBe(7);
});

test("executeRun() cancels all that waits for a failed activation, however deep, each once", async () => {
  const store = createMemoryStore();
  const depth = 20_000;
  const dag = Array.from({ length: depth }, (_, i) => (i === 0 ? [] : [i - 1]));
  const director = { ...allAtOnce(dag), settled: () => ({}) };
  const act: ActivationRunner = () => Promise.reject(new Error("first"));
  const { outcome } = await run({ director, store, runners: { act } });
  expect(outcome.kind).toBe("deadlocked");
  const { counts } = foldLog(store.events("test"));
  expect(counts).toMatchObject({ failed: 1, cancelled: depth - 1, waiting: 0, ready: 0 });
  expect(count(store.events("test"), "activation.settled")).toBe(depth);
});

test("executeRun() cancels what a director starts behind a failure", async () => {
  const base = allAtOnce([[]]);
  const director = {
    ...base,
    settled: ({ state }: { state: string }) =>
      state === "failed" ? { start: [{ kind: "act" as const, label: "late", inputs: [], after: [0] }] } : {},
  };
  const store = createMemoryStore();
  await run({ director, store, runners: { act: () => Promise.reject(new Error("no")) } });
  expect(foldLog(store.events("test")).counts).toMatchObject({ failed: 1, cancelled: 1 });
});

test("executeRun() cancels what its director cancels: waiting, running and asleep", async () => {
  const clock = createVirtualClock();
  const store = createMemoryStore();
  let aborted = false;
  const act: ActivationRunner = async (context) => {
    if (context.activation.id === 1) throw new TroupeError("model_rate_limited", "Slow down.", { retryAfterSeconds: 900 });
    if (context.activation.id === 2) {
      await clock.sleep(1e6, context.signal).catch(() => {
        aborted = true;
      });
    }
    return sign(context);
  };
  const base = allAtOnce([[], [], [], [2], []]);
  const director = { ...base, settled: ({ activation }: { activation: number }) => (activation === 4 ? { cancel: [0, 1, 2] } : {}) };
  const { outcome, seconds } = await clock.runUntil(run({ director, store, clock, runners: { act } }));
  expect(outcome.kind).toBe("deadlocked");
  expect(seconds).toBe(0);
  expect(aborted).toBe(true);
  const { rows } = foldLog(store.events("test"));
  expect(rows.map((row) => row.state)).toEqual(["done", "cancelled", "cancelled", "cancelled", "done"]);
});

test("executeRun() keeps an activation cancelled whose time is up while it is being stopped", async () => {
  const clock = createVirtualClock();
  const store = createMemoryStore();
  const act: ActivationRunner = async (context) => {
    if (context.activation.id === 0) return new Promise(() => undefined);
    await clock.sleep(1000, context.signal);
    return sign(context);
  };
  const director = {
    ...allAtOnce([[], []]),
    settled: ({ activation }: { activation: number }) => (activation === 1 ? { cancel: [0] } : {}),
  };
  await clock.runUntil(run({ director, store, clock, limits: { activationSeconds: 2 }, runners: { act } }));
  expect(foldLog(store.events("test")).rows[0]).toMatchObject({ state: "cancelled", failures: 0, settledAt: 6000 });
});

test("executeRun() never lets the log go back in time, whatever the clock does", async () => {
  const store = createMemoryStore();
  let now = 1e6;
  const clock = { ...createVirtualClock(), now: () => (now -= 1000), sleep: () => new Promise<void>(() => undefined) };
  const { outcome, seconds } = await run({ director: stepByStep([[], [0]]), store, clock });
  expect(outcome.kind).toBe("completed");
  expect(seconds).toBe(0);
  const times = store.events("test").map((event) => event.at);
  expect(times).toEqual([...times].sort((a, b) => a - b));
});

const phases = ["start", "settled", "notice", "idle"] as const;

test.each(phases)("executeRun() fails with the phase when the director throws in %s", async (phase) => {
  const broken = () => {
    throw new TypeError("oh no");
  };
  const quiet = { ...allAtOnce([[]]), settled: () => ({}) };
  const store = createMemoryStore();
  const going = executeRun(options({ director: { ...(phase === "idle" ? quiet : allAtOnce([[]])), [phase]: broken }, store }));
  if (phase === "notice") going.notify({ topic: "human.answer", scope: "", data: null });
  const words = { start: "to start", settled: "activation 0 is done", notice: "notice human.answer", idle: "nothing goes on" };
  const { outcome } = await going.result;
  expect(outcome).toMatchObject({ kind: "failed", error: { code: "internal", message: expect.stringContaining(words[phase]) } });
  expect(outcome.kind === "failed" && outcome.error.message).toContain("oh no");
  expect(count(store.events("test"), "run.ended")).toBe(1);
});

test("executeRun() fails when a director names activations that don't exist", async () => {
  const base = allAtOnce([[]]);
  for (const step of [{ cancel: [9] }, { start: [{ kind: "act" as const, label: "x", inputs: [{ name: "in", from: 5 }] }] }]) {
    const { outcome } = await run({ director: { ...base, start: () => step } });
    expect(outcome).toMatchObject({ kind: "failed", error: { code: "internal" } });
  }
});

test("executeRun() fails when nobody runs a kind of activation", async () => {
  const { outcome } = await run({ runners: {} });
  expect(outcome).toMatchObject({ kind: "failed", error: { code: "internal", message: expect.stringContaining("kind act") } });
});

test("executeRun() fails an activation whose runner throws at once or returns no artifact", async () => {
  const throwing: ActivationRunner = () => {
    throw new Error("at once");
  };
  expect((await run({ runners: { act: throwing } })).outcome).toMatchObject({ kind: "failed", error: { message: "at once" } });
  const empty = (() => Promise.resolve(undefined)) as unknown as ActivationRunner;
  expect((await run({ runners: { act: empty } })).outcome).toMatchObject({
    kind: "failed",
    error: { message: expect.stringContaining("no artifact") },
  });
});

/** A store whose n-th write, of events or of artifacts, fails, and all after it. */
function failingStore(method: "append" | "put", after: number, code: "disk_full" | "store_locked"): RunStore {
  const inner = createMemoryStore();
  let writes = 0;
  const guard = <Args extends unknown[], Result>(write: (...args: Args) => Result) => {
    return (...args: Args): Result => {
      if (writes++ >= after) throw new TroupeError(code, "Can't write.");
      return write(...args);
    };
  };
  return { ...inner, [method]: guard(inner[method] as (...args: unknown[]) => unknown) };
}

test("executeRun() fails with the store's code at whatever write the store fails, and leaves a log that ends before it", async () => {
  for (const method of ["append", "put"] as const) {
    for (let after = 0; after < 9; after++) {
      const store = failingStore(method, after, after % 2 === 0 ? "disk_full" : "store_locked");
      const going = executeRun(options({ director: stepByStep([[], [0], [1]]), store }));
      const kinds: string[] = [];
      for await (const event of going) kinds.push(event.kind);
      const { outcome } = await going.result;
      if (outcome.kind === "completed") continue;
      expect(outcome).toMatchObject({ kind: "failed", error: { code: after % 2 === 0 ? "disk_full" : "store_locked" } });
      expect(kinds.filter((kind) => kind === "run.ended")).toHaveLength(1);
      expect(kinds.at(-1)).toBe("run.ended");
      if (method === "append") expect(kinds.slice(0, -1)).toEqual(store.events("test").map((event) => event.kind));
    }
  }
  await setImmediate();
});

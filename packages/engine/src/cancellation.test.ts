import { getEventListeners } from "node:events";
import { setImmediate } from "node:timers/promises";
import { type ActivationRunner, type Clock, systemClock, TroupeError } from "@troupe/schema";
import { expect, test } from "vitest";
import { allAtOnce, ask, count, options, question, run, scriptedModels, sign } from "../test/scripted.ts";
import { createMemoryStore, createVirtualClock, executeRun, foldLog } from "./index.ts";

const forever = (signal: AbortSignal): Promise<never> =>
  new Promise((_, reject) => {
    if (signal.aborted) reject(signal.reason);
    signal.addEventListener("abort", () => reject(signal.reason), { once: true });
  });

interface Phase {
  readonly act: (abort: () => void, clock: Clock) => ActivationRunner;
  readonly chat?: (abort: () => void, signal: AbortSignal) => Promise<string>;
}

/** Where the run is when it is interrupted. */
const phases: Record<string, Phase> = {
  "in a runner": {
    act: (abort) => (context) => {
      abort();
      return forever(context.signal);
    },
  },
  "in a runner that asks for its signal late": {
    act: (abort) => async (context) => {
      abort();
      await setImmediate();
      context.signal.throwIfAborted();
      return sign(context);
    },
  },
  "in a model call": {
    act: () => ask,
    chat: (abort, signal) => {
      abort();
      return forever(signal);
    },
  },
  "in a retry's sleep": {
    act: (abort) => async () => {
      void setImmediate().then(abort);
      throw new TroupeError("model_rate_limited", "Slow down.", { retryAfterSeconds: 50 });
    },
  },
  "after the first of several siblings": {
    act: (abort) => async (context) => {
      if (context.activation.id > 0) return forever(context.signal);
      void setImmediate().then(abort);
      return sign(context);
    },
  },
};

test.each(Object.keys(phases))("executeRun() ends as cancelled when interrupted %s", async (name) => {
  const phase = phases[name] as Phase;
  const user = new AbortController();
  const abort = (): void => user.abort("Ctrl-C");
  const models = scriptedModels((_, { signal }) => phase.chat?.(abort, signal) ?? "answer");
  const store = createMemoryStore();
  const director = allAtOnce([[], [], [0, 1]]);
  const act = phase.act(abort, systemClock);
  const { outcome } = await run({ director, store, models, runners: { act }, signal: user.signal });
  expect(outcome).toMatchObject({ kind: "cancelled", reason: "Ctrl-C" });
  const events = store.events("test");
  expect(count(events, "run.ended")).toBe(1);
  expect(events.at(-1)?.kind).toBe("run.ended");
  expect(foldLog(events).openCalls.size).toBe(0);
  expect(foldLog(events).counts).toMatchObject({ failed: 0, cancelled: 0 });
  expect(getEventListeners(user.signal, "abort")).toHaveLength(0);
});

test("executeRun() ends as cancelled when its signal was aborted before", async () => {
  const store = createMemoryStore();
  const signal = AbortSignal.abort(new Error("too late"));
  const { outcome } = await run({ store, signal, runners: { act: () => expect.unreachable() } });
  expect(outcome).toEqual({ kind: "cancelled", reason: "too late" });
  expect(store.events("test").map((event) => event.kind)).toEqual(["run.started", "run.ended"]);
});

test("executeRun() gives up a runner that ignores its signal, and says so in the log", async () => {
  const clock = createVirtualClock();
  const user = new AbortController();
  const store = createMemoryStore();
  let finish: (() => void) | undefined;
  const act: ActivationRunner = async (context) => {
    user.abort();
    await new Promise<void>((resolve) => {
      finish = resolve;
    });
    await expect(context.chat(question("late"))).rejects.toMatchObject({ code: "cancelled" });
    return sign(context);
  };
  const going = run({ store, clock, runners: { act }, signal: user.signal });
  const { outcome, seconds } = await clock.runUntil(going);
  expect(outcome).toEqual({ kind: "cancelled", reason: "interrupted" });
  expect(seconds).toBe(5);
  const before = store.events("test");
  const said = before.find((event) => event.kind === "notice");
  expect(said).toMatchObject({ notice: { topic: "engine.given-up", data: { activations: [0] } } });
  finish?.();
  await setImmediate();
  expect(store.events("test")).toEqual(before);
});

test("executeRun() counts a call that does not stop as spent", async () => {
  const clock = createVirtualClock();
  const user = new AbortController();
  const store = createMemoryStore();
  const models = scriptedModels(() => {
    user.abort();
    return new Promise(() => undefined);
  });
  const { usage } = await clock.runUntil(run({ store, clock, models, runners: { act: ask }, signal: user.signal }));
  expect(usage).toMatchObject({ calls: 1, inputTokens: 100, usd: 0.01, estimated: true });
  expect(foldLog(store.events("test")).openCalls.size).toBe(0);
});

test("executeRun() sends no call that was interrupted while it was being logged", async () => {
  const user = new AbortController();
  const inner = createMemoryStore();
  const append: typeof inner.append = (name, bodies, at, guard) => {
    if (bodies.some((body) => body.kind === "call.started")) user.abort();
    return inner.append(name, bodies, at, guard);
  };
  const models = scriptedModels(() => "x");
  const { outcome, usage } = await run({ store: { ...inner, append }, models, runners: { act: ask }, signal: user.signal });
  expect(outcome.kind).toBe("cancelled");
  expect(models.asked).toHaveLength(0);
  expect(usage.calls).toBe(0);
  expect(foldLog(inner.events("test")).openCalls.size).toBe(0);
});

test("executeRun() stops what runs when the director finishes, and waits for it", async () => {
  let ended = false;
  const act: ActivationRunner = async (context) => {
    if (context.activation.id === 1) return sign(context);
    await forever(context.signal).catch(() => setImmediate());
    ended = true;
    return sign(context);
  };
  const base = allAtOnce([[], []]);
  const director: typeof base = { ...base, settled: ({ artifact }) => (artifact ? { finish: { kind: "completed", artifact } } : {}) };
  const store = createMemoryStore();
  const { outcome } = await run({ director, store, runners: { act } });
  expect(outcome.kind).toBe("completed");
  expect(ended).toBe(true);
  expect(count(store.events("test"), "activation.settled")).toBe(1);
});

test("executeRun() drains: what runs comes to its end, nothing else begins", async () => {
  const store = createMemoryStore();
  const going = executeRun(
    options({
      ...{ director: allAtOnce([[], [0], [1]]), store },
      runners: {
        act: async (context) => {
          going.drain("asked to stop");
          await setImmediate();
          return sign(context);
        },
      },
    }),
  );
  expect((await going.result).outcome).toEqual({ kind: "cancelled", reason: "asked to stop" });
  expect(foldLog(store.events("test")).counts).toMatchObject({ done: 1, ready: 1, waiting: 1 });
});

test("executeRun() runs a thousand activations side by side without a warning, and leaves no listener", async () => {
  const warnings: Error[] = [];
  const warn = (warning: Error): void => void warnings.push(warning);
  process.on("warning", warn);
  const user = new AbortController();
  const width = 1000;
  const dag = [[], ...Array.from({ length: width }, () => [0]), Array.from({ length: width }, (_, i) => i + 1)];
  const models = scriptedModels(async (_, { signal }) => {
    await systemClock.sleep(1, signal);
    return "answer";
  });
  const act: ActivationRunner = async (context) => {
    if (context.activation.id % 3 === 0 && context.attempt === 1) {
      throw new TroupeError("model_rate_limited", "Slow down.", { retryAfterSeconds: 0.01 });
    }
    return ask(context);
  };
  const limits = { parallel: 2000, tokens: 1e9 };
  const { outcome } = await run({ director: allAtOnce(dag), models, runners: { act }, limits, signal: user.signal });
  await setImmediate();
  process.off("warning", warn);
  expect(outcome.kind).toBe("completed");
  expect(warnings).toEqual([]);
  expect(getEventListeners(user.signal, "abort")).toHaveLength(0);
});

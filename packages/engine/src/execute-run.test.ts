import fc from "fast-check";
import { setImmediate } from "node:timers/promises";
import type { ActivationRunner, RunEvent, WatchedEvent } from "@troupe/schema";
import { runEvent } from "@troupe/schema";
import { expect, test } from "vitest";
import { allAtOnce, count, type Dag, options, run, sign, stepByStep } from "../test/scripted.ts";
import { createMemoryStore, createVirtualClock, executeRun } from "./index.ts";

/** A random DAG whose last node is reached from every other, so that the product says whether all ran. */
const dags: fc.Arbitrary<Dag> = fc
  .array(fc.array(fc.nat({ max: 1000 }), { maxLength: 4 }), { minLength: 1, maxLength: 14 })
  .map((picks) => picks.map((parents, i) => (i === 0 ? [] : [...new Set(parents.map((pick) => pick % i))])));

const directors = fc.constantFrom(allAtOnce, stepByStep);

function tracked(ends: Map<string, number>, order: string[]) {
  let inFlight = 0;
  let most = 0;
  const act: ActivationRunner = async (context) => {
    most = Math.max(most, ++inFlight);
    const { label, inputs } = context.activation;
    for (const { name } of inputs) expect(ends.has(name.replace("from", "node"))).toBe(true);
    order.push(label);
    const turns = context.random.integer(3);
    for (let i = 0; i < turns; i++) await setImmediate();
    inFlight--;
    ends.set(label, order.length);
    return sign(context);
  };
  return { act, most: () => most };
}

test("executeRun() runs each activation of a random DAG exactly once, after its parents, never above the limit", async () => {
  await fc.assert(
    fc.asyncProperty(dags, directors, fc.double({ min: 0, max: 1, noNaN: true }), async (dag, make, at) => {
      const parallel = 1 + Math.round(at * dag.length);
      const order: string[] = [];
      const { act, most } = tracked(new Map(), order);
      const store = createMemoryStore();
      const { outcome } = await run({ director: make(dag), runners: { act }, store, limits: { parallel } });
      expect(outcome.kind).toBe("completed");
      expect([...order].sort()).toEqual(dag.map((_, i) => `node ${i}`).sort());
      expect(most()).toBeLessThanOrEqual(parallel);
      expect(count(store.events("test"), "activation.settled")).toBe(dag.length);
    }),
    { numRuns: 150 },
  );
});

test("executeRun() takes exactly the critical path of a random DAG when nothing limits it", async () => {
  const timed = dags.chain((dag) =>
    fc.tuple(fc.constant(dag), fc.array(fc.integer({ min: 1, max: 5000 }), { minLength: dag.length, maxLength: dag.length })),
  );
  await fc.assert(
    fc.asyncProperty(timed, directors, async ([dag, times], make) => {
      const clock = createVirtualClock();
      const timeOf = (label: string): number => times[Number(label.slice(5))] ?? 0;
      const act: ActivationRunner = async (context) => {
        await clock.sleep(timeOf(context.activation.label), context.signal);
        return sign(context);
      };
      const ends: number[] = [];
      for (const [i, parents] of dag.entries()) {
        ends.push(Math.max(0, ...parents.map((parent) => ends[parent] ?? 0)) + (times[i] ?? 0));
      }
      const { seconds } = await clock.runUntil(run({ director: make(dag), runners: { act }, clock, limits: { parallel: dag.length } }));
      expect(seconds).toBe(Math.max(...ends) / 1000);
      expect(clock.sleepers).toBe(0);
    }),
    { numRuns: 100 },
  );
});

test("executeRun() starts ready activations by priority, then by id", async () => {
  const order: string[] = [];
  const act: ActivationRunner = (context) => {
    order.push(context.activation.label);
    return sign(context);
  };
  await run({ director: allAtOnce([[], [], [], [0, 1, 2]], [1, 5, 5, 0]), runners: { act }, limits: { parallel: 1 } });
  expect(order).toEqual(["node 1", "node 2", "node 0", "node 3"]);
});

test("executeRun() tells the director in the order of the log, each settlement once", async () => {
  const director = stepByStep([[], [0], [0], [1, 2]]);
  const store = createMemoryStore();
  await run({ director, store });
  expect(director.told).toEqual(["start", "0 done", "1 done", "2 done", "3 done"]);
  const events = store.events("test");
  expect(events.map((event) => event.seq)).toEqual(events.map((_, index) => index));
  for (const event of events) expect(runEvent.parse(event)).toEqual(event);
});

test("executeRun() logs a step before what it starts begins, and a beginning before its runner runs", async () => {
  const store = createMemoryStore();
  const act: ActivationRunner = (context) => {
    const events = store.events("test");
    const began = events.findIndex((event) => event.kind === "activation.began" && event.activation === context.activation.id);
    const step = events.findIndex((event) => event.kind === "step" && event.step.start.some(({ id }) => id === context.activation.id));
    expect(began).toBeGreaterThan(step);
    expect(step).toBeGreaterThan(0);
    return sign(context);
  };
  const { outcome } = await run({ director: stepByStep([[], [0], [1]]), store, runners: { act } });
  expect(outcome.kind).toBe("completed");
});

async function watch(events: AsyncIterable<WatchedEvent>): Promise<WatchedEvent[]> {
  const seen: WatchedEvent[] = [];
  for await (const event of events) seen.push(event);
  return seen;
}

test("executeRun() gives every watcher, early or late, this session's log with one terminal event at its end", async () => {
  const some = options({ director: stepByStep([[], [0], [1]]) });
  const going = executeRun(some);
  const early = watch(going);
  await setImmediate();
  const middle = watch(going);
  await going.result;
  const log: RunEvent[] = some.store.events("test");
  expect(await early).toEqual(log);
  expect(await middle).toEqual(log);
  expect(await watch(going)).toEqual(log);
  expect(count(log, "run.ended")).toBe(1);
  expect(log.at(-1)?.kind).toBe("run.ended");
});

test("executeRun() goes on when a watcher leaves early", async () => {
  const going = executeRun(options({ director: stepByStep([[], [0], [1]]) }));
  for await (const event of going) if (event.kind === "step") break;
  expect((await going.result).outcome.kind).toBe("completed");
});

test("executeRun() logs a notice before it tells the director, and refuses one that is none", async () => {
  const some = options({ director: allAtOnce([[]]) });
  const going = executeRun(some);
  expect(() => going.notify({ topic: "", scope: "", data: 1 })).toThrow(/topic/);
  expect(() => going.notify({ topic: "engine.x", scope: "", data: 1 })).toThrow(/topic/);
  going.notify({ topic: "human.answer", scope: "", data: { yes: true } });
  await going.result;
  going.notify({ topic: "late", scope: "", data: null });
  expect((some.director as ReturnType<typeof allAtOnce>).told).toContain("notice human.answer");
  expect(count(some.store.events("test"), "notice")).toBe(1);
});

test("executeRun() ends as deadlocked, with who waits for what, when nothing goes on", async () => {
  const director = { ...allAtOnce([[]]), settled: () => ({}) };
  expect((await run({ director })).outcome).toEqual({ kind: "deadlocked", waiting: ["somebody waits for something"] });
  const silent = { ...director, idle: () => ({}) };
  expect((await run({ director: silent })).outcome).toMatchObject({ kind: "deadlocked", waiting: [expect.stringContaining("neither")] });
});

test("executeRun() lets the director go on from idleness", async () => {
  let asked = 0;
  const base = stepByStep([[]]);
  const director = { ...base, start: () => ({}), idle: (view: Parameters<typeof base.idle>[0]) => (asked++ === 0 ? base.start(view) : {}) };
  expect((await run({ director })).outcome.kind).toBe("completed");
  expect(asked).toBe(1);
});

test("executeRun() runs ten thousand activations in a row without a deep stack", async () => {
  const dag: Dag = Array.from({ length: 10_000 }, (_, i) => (i === 0 ? [] : [i - 1]));
  const { outcome } = await run({ director: allAtOnce(dag) });
  expect(outcome.kind).toBe("completed");
});

test("executeRun() takes two appends for each activation of a chain: its end, and what begins after it", async () => {
  const store = createMemoryStore();
  const batches: string[][] = [];
  const counting = {
    ...store,
    append: (...words: Parameters<typeof store.append>) => {
      batches.push(words[1].map(({ kind }) => kind));
      return store.append(...words);
    },
  };
  await run({ director: stepByStep([[], [0], [1], [2]]), store: counting });
  const end = ["activation.settled"];
  const next = ["step", "activation.began"];
  expect(batches).toEqual([["run.started"], next, end, next, end, next, end, next, end, ["step"], ["run.ended"]]);
});

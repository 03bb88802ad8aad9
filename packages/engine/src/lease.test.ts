import { type ActivationRunner, type Clock, leaseMilliseconds, type RunStore } from "@troupe/schema";
import { expect, test } from "vitest";
import { count, options, sign, stepByStep } from "../test/scripted.ts";
import { createMemoryStore, createVirtualClock, executeRun, foldLog, resumeRun } from "./index.ts";

const signal = new AbortController().signal;
const dag = [[], [0], [1]];

/** Where time goes by, but nothing wakes: a process that is suspended. */
function suspendedClock(now: number): Clock {
  return { now: () => now, sleep: () => new Promise(() => undefined) };
}

/** A run whose first activation works until it is released. */
function heldRun(store: RunStore, clock: Clock) {
  let release = () => {};
  const held = new Promise<void>((resolve) => (release = resolve));
  const act: ActivationRunner = async (context) => held.then(() => sign(context));
  const director = { ...stepByStep(dag), best: () => store.put({ kind: "text", text: "the best so far" }) };
  const going = executeRun(options({ director, store, clock, runners: { act } }));
  return { going, release };
}

function resume(store: RunStore, clock: Clock) {
  return resumeRun({ run: "test", director: stepByStep(dag), store, clock, models: options().models, runners: { act: sign }, signal });
}

test("executeRun() and resumeRun() refuse a run that another session works on, as long as it gives signs of life", async () => {
  const clock = createVirtualClock(1_000_000);
  const store = createMemoryStore();
  const { going, release } = heldRun(store, clock);
  await clock.advance(10 * leaseMilliseconds);
  const held = expect.objectContaining({ code: "run_held" });
  expect(() => resume(store, clock)).toThrow(held);
  expect(() => executeRun(options({ store, clock }))).toThrow(held);
  release();
  expect((await clock.runUntil(going.result)).outcome.kind).toBe("completed");
  expect(count(store.events("test"), "run.resumed")).toBe(0);
});

test("executeRun() lets the run go at its end, and resumeRun() when there is nothing to go on with", async () => {
  const clock = createVirtualClock();
  const store = createMemoryStore();
  await clock.runUntil(executeRun(options({ store, clock, director: stepByStep(dag) })).result);
  expect(store.holder("test", clock.now())).toBeUndefined();
  expect(clock.sleepers).toBe(0);
  expect(() => resume(store, clock)).toThrow(/completed/);
  expect(store.holder("test", clock.now())).toBeUndefined();
});

test("resumeRun() takes a run over from a session that is silent, which stops and writes nothing more", async () => {
  const store = createMemoryStore();
  const { going, release } = heldRun(store, suspendedClock(1_000_000));
  await new Promise(setImmediate);
  const clock = createVirtualClock(1_000_000 + leaseMilliseconds);
  const { outcome } = await clock.runUntil(resume(store, clock).result);
  expect(outcome.kind).toBe("completed");
  const log = store.events("test");
  release();
  const end = await going.result;
  expect(end.artifact).toBeUndefined();
  expect(end.outcome).toMatchObject({ kind: "failed", error: { code: "run_lost", message: expect.stringContaining("taken over") } });
  expect(store.events("test")).toEqual(log);
  expect(foldLog(log).openCalls.size).toBe(0);
});

test("executeRun() stops at the next sign of life when its run was taken over meanwhile, without waiting for its work", async () => {
  const clock = createVirtualClock(1_000_000);
  const store = createMemoryStore();
  const { going } = heldRun(store, clock);
  await new Promise(setImmediate);
  const log = store.events("test");
  store.acquire("test", clock.now() + leaseMilliseconds);
  const { outcome } = await clock.runUntil(going.result);
  expect(outcome).toMatchObject({ kind: "failed", error: { code: "run_lost" } });
  expect(store.events("test")).toEqual(log);
  expect(clock.now() - 1_000_000).toBeLessThan(leaseMilliseconds);
});

import { type ActivationRunner, type Clock, type Limits, leaseMilliseconds, type RunEvent, TroupeError } from "@troupe/schema";
import fc from "fast-check";
import { expect, test } from "vitest";
import { allAtOnce, type Dag, options, question, scriptedModels, sign } from "../test/scripted.ts";
import { createMemoryStore, createVirtualClock, executeRun, foldLog, resumeRun, type VirtualClock } from "./index.ts";

const hour = 3_600_000;
/** What is set between a jump and the next heartbeat can come this much earlier or later: nobody knows when exactly the jump was. */
const slack = leaseMilliseconds / 3;
const startsAt = 1_000_000_000;

/** A clock that goes back by an hour at some moment, in milliseconds from the start; sleeps are as long as ever. */
function jumping(clock: VirtualClock, at: number): Clock {
  const jumpsAt = startsAt + at;
  return {
    now: () => clock.now() - (clock.now() >= jumpsAt ? hour : 0),
    sleep: (milliseconds, signal) => clock.sleep(milliseconds, signal),
  };
}

const dag: Dag = [[], [], [0], [0, 1], [2, 3]];

/** Works ten seconds, calls a model for twenty, and needs a second attempt after fifteen where the id is even. */
function world(clock: VirtualClock, limits: Limits) {
  const models = scriptedModels(async (_, { signal }) => {
    await clock.sleep(20_000, signal);
    return "x";
  });
  const act: ActivationRunner = async (context) => {
    await clock.sleep(10_000, context.signal);
    if (context.activation.id % 2 === 0 && context.attempt === 1)
      throw new TroupeError("model_rate_limited", "Slow down.", { retryAfterSeconds: 15 });
    await context.chat(question("why?"));
    return sign(context);
  };
  return { ...options({ director: allAtOnce(dag), models, runners: { act }, store: createMemoryStore(), limits }) };
}

/** Runs beside a jump, or without one: how it ended, after how many real milliseconds, and its log. */
async function ran(limits: Limits, jumpsAt = Number.POSITIVE_INFINITY) {
  const clock = createVirtualClock(startsAt);
  const given = world(clock, limits);
  const { outcome, seconds } = await clock.runUntil(executeRun({ ...given, clock: jumping(clock, jumpsAt) }).result);
  return { outcome, seconds, took: clock.now() - startsAt, events: given.store.events("test") };
}

const kindsOf = (events: readonly RunEvent[]): string[] => events.map(({ kind }) => kind).sort();

test.each<[string, Limits, string]>([
  ["to its end", {}, "completed"],
  ["into limits.seconds", { seconds: 70 }, "exhausted"],
  ["into a time limit of its activations", { activationSeconds: 25, attempts: 2 }, "failed"],
])("executeRun() comes %s as if the clock had not gone back by an hour, whenever that is", async (_, limits, kind) => {
  const plain = await ran(limits);
  expect(plain.outcome.kind).toBe(kind);
  await fc.assert(
    fc.asyncProperty(fc.integer({ min: 0, max: plain.took + 1000 }), async (jumpsAt) => {
      const { outcome, seconds, took, events } = await ran(limits, jumpsAt);
      expect(outcome.kind).toBe(kind);
      expect(Math.abs(took - plain.took)).toBeLessThanOrEqual(slack);
      expect(Math.abs(seconds - plain.seconds) * 1000).toBeLessThanOrEqual(slack);
      if (kind === "completed") expect(kindsOf(events)).toEqual(kindsOf(plain.events));
      expect(events.map(({ at }) => at)).toEqual(events.map(({ at }) => at).sort((a, b) => a - b));
      for (const event of events) if ("seconds" in event) expect(event.seconds).toBeGreaterThanOrEqual(0);
      for (const { usage } of foldLog(events).rows) expect(usage.seconds).toBeGreaterThanOrEqual(0);
    }),
    { numRuns: 60 },
  );
});

test("executeRun() keeps its run while the clock goes back, and lets it go at its end", async () => {
  const clock = createVirtualClock(startsAt);
  const jumped = jumping(clock, 40_000);
  const given = world(clock, {});
  const going = executeRun({ ...given, clock: jumped });
  await clock.advance(45_000 + leaseMilliseconds);
  expect(() => resumeRun({ ...given, clock: jumped })).toThrow(expect.objectContaining({ code: "run_held" }));
  expect((await clock.runUntil(going.result)).outcome.kind).toBe("completed");
  expect(given.store.holder("test", jumped.now())).toBeUndefined();
});

test("resumeRun() goes on in order after a clock that went back between two sessions", async () => {
  const clock = createVirtualClock(startsAt);
  const given = world(clock, { seconds: 50 });
  expect((await clock.runUntil(executeRun({ ...given, clock }).result)).outcome.kind).toBe("exhausted");
  const before = given.store.events("test").length;
  const again = resumeRun({ ...given, director: allAtOnce(dag), clock: jumping(clock, 0), limits: { seconds: 90 } });
  const { outcome, seconds } = await clock.runUntil(again.result);
  expect(outcome).toMatchObject({ kind: "exhausted", allowed: 90 });
  expect(seconds).toBeCloseTo(40, 6);
  const events = given.store.events("test");
  expect(events.map(({ at }) => at)).toEqual(events.map(({ at }) => at).sort((a, b) => a - b));
  expect((events.at(-1)?.at ?? 0) - (events[before]?.at ?? 0)).toBe(40_000);
});

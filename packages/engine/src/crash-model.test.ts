import type { RunEvent, RunStore } from "@troupe/schema";
import fc from "fast-check";
import { expect, test } from "vitest";
import { type Cut, cuts, expectedOf, type Plan, plans } from "../test/plan.ts";
import { PlanDirector } from "../test/plan-director.ts";
import { cutStore, PlanWorld } from "../test/plan-world.ts";
import { header } from "../test/scripted.ts";
import { createMemoryStore, createVirtualClock, executeRun, foldLog, replayRun, resumeRun } from "./index.ts";

/** More sessions than any plan and its cuts can need. */
const mostSessions = 40;

/** Takes a planned run to its end, session by session. */
async function live(plan: Plan, planned: readonly Cut[], parallel: number) {
  const store = createMemoryStore();
  const clock = createVirtualClock();
  const world = new PlanWorld(plan, clock, () => store.events("test").length);
  // Rivals keep their slots until they are cancelled.
  const limits = { parallel: parallel + plan.filter(({ rival }) => rival).length };
  for (let session = 0; session < mostSessions; session++) {
    const user = new AbortController();
    const cut = cutStore(store, planned[session], () => user.abort());
    const parts = { run: "test", director: new PlanDirector(plan), store: cut, clock, models: world.models, runners: world.runners };
    const isNew = store.events("test").length === 0;
    const options = { ...parts, signal: user.signal };
    const going = isNew ? executeRun({ ...options, header: header(limits) }) : resumeRun(options);
    await clock.runUntil(going.result);
    if (foldLog(store.events("test")).outcome?.kind === "completed") break;
  }
  return { store, world, log: store.events("test") };
}

function checkEnd(plan: Plan, log: readonly RunEvent[], store: RunStore): void {
  const expected = expectedOf(plan);
  const { rows, outcome, openCalls } = foldLog(log);
  expect(outcome?.kind).toBe("completed");
  expect(Object.fromEntries(rows.map(({ activation, state }) => [activation.label, state]))).toEqual(expected.states);
  expect(rows).toHaveLength(Object.keys(expected.states).length);
  expect(outcome?.artifact && store.get(outcome.artifact)).toEqual({ kind: "text", text: expected.product });
  expect(openCalls.size).toBe(0);
}

/** What is done is done once, and what was answered is not asked again. */
function checkOnce(log: readonly RunEvent[], { ran, asked }: PlanWorld): void {
  const doneAt = new Map<string, number>();
  const answeredAt = new Map<string, number>();
  const { rows } = foldLog(log);
  for (const event of log) {
    if (event.kind === "activation.settled" && event.state === "done") {
      const label = rows[event.activation]?.activation.label ?? "";
      expect(doneAt.has(label)).toBe(false);
      doneAt.set(label, event.seq);
    }
    if (event.kind === "call.settled" && event.answer !== undefined) {
      expect(answeredAt.has(event.request)).toBe(false);
      answeredAt.set(event.request, event.seq);
    }
  }
  for (const { what, logLength } of ran) expect(logLength).toBeLessThanOrEqual(doneAt.get(what) ?? log.length);
  for (const { what, logLength } of asked) expect(logLength).toBeLessThanOrEqual(answeredAt.get(what) ?? log.length);
}

/** An activation is tried three times, however its sessions end; a resume that takes a failure back begins to count anew. */
function checkAttempts(log: readonly RunEvent[]): void {
  const retried = new Map<number, number>();
  for (const event of log) {
    if (event.kind === "run.resumed") for (const id of event.redo) retried.delete(id);
    if (event.kind !== "activation.retried") continue;
    retried.set(event.activation, (retried.get(event.activation) ?? 0) + 1);
    expect(retried.get(event.activation)).toBeLessThan(3);
  }
}

/** Every part comes out the same when it is done again. */
async function checkReplay(plan: Plan, store: RunStore): Promise<void> {
  const sound = plan.map((node) => ({ ...node, fails: { how: "never" as const } }));
  const { models, runners } = new PlanWorld(sound, { now: () => 0, sleep: async () => undefined }, () => 0);
  const signal = new AbortController().signal;
  const parts = replayRun({ run: "test", director: () => new PlanDirector(plan), store, models, runners, signal });
  for await (const part of parts) expect(part).toMatchObject({ same: true });
}

test("resumeRun() ends a run as its plan says, whatever fails and wherever it is cut off, and does nothing twice", async () => {
  const sessions = fc.asyncProperty(plans, cuts, fc.integer({ min: 1, max: 3 }), async (plan, planned, parallel) => {
    const { store, world, log } = await live(plan, planned, parallel);
    checkEnd(plan, log, store);
    checkOnce(log, world);
    checkAttempts(log);
    await checkReplay(plan, store);
  });
  await fc.assert(sessions, { numRuns: 200 });
});

import { createNullStore, createVirtualClock, executeRun } from "@troupe/engine";
import { expect, test } from "vitest";
import { prepareDag, runDag } from "../bench/support/dag-run.mjs";
import { heights, listSchedule } from "../bench/support/list-schedule.mjs";
import { knowingMakespan, slotsAt, type TimedDag, timedDags } from "../bench/support/timed-dags.mjs";

/** Seconds that a run takes whose agents only sleep, by a clock that jumps from one to the next. */
async function seconds({ parents, times }: TimedDag, parallel: number, stepwise = true): Promise<number> {
  const clock = createVirtualClock();
  const run = runDag({ executeRun }, prepareDag(parents, heights(parents)), {
    ...{ store: createNullStore(), parallel, clock, stepwise },
    work: async (node, { signal }) => {
      await clock.sleep(times[node] ?? 0, signal);
      return { kind: "text", text: "done" };
    },
  });
  return (await clock.runUntil(run)).seconds;
}

test("executeRun() takes exactly the critical path of 200 random DAGs with log-normal times", async () => {
  for (const dag of timedDags(200)) expect(await seconds(dag, dag.parents.length)).toBe(dag.critical / 1000);
});

test("executeRun() under a limit schedules as a list does, by the longest path ahead", async () => {
  for (const dag of timedDags(60)) {
    const slots = slotsAt(4, dag);
    expect(await seconds(dag, slots, false)).toBe(listSchedule(dag.parents, dag.times, slots, heights(dag.parents)) / 1000);
  }
});

test("executeRun() comes near list scheduling that knows all times, unless exactly as many slots are there as are needed", async () => {
  for (const load of [0.5, 4]) {
    let ratios = 0;
    const dags = timedDags(60);
    for (const dag of dags) ratios += ((await seconds(dag, slotsAt(load, dag))) * 1000) / knowingMakespan(dag, slotsAt(load, dag));
    expect(ratios / dags.length).toBeLessThan(1.06);
  }
});

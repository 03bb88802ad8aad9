// How long runs of random DAGs take whose agents need log-normal times: `node test/bench/makespan.mjs [--quick] [--json]`, after
// `npm run build`. Without a limit on the engine's virtual clock: exactly the critical path. On the machine's clock: at most 1.02 times
// it, in every run. With a limit, by the load (all work ÷ what the slots can do during the critical path): the mean ratio to list
// scheduling that knows the times, which an engine can't; the ratio of one that knows their distribution stands beside it.

import { heights } from "./support/list-schedule.mjs";
import { prepareDag, runDag } from "./support/dag-run.mjs";
import { quick } from "./support/options.mjs";
import { loadPackage } from "./support/packages.mjs";
import { createReport } from "./support/report.mjs";
import { mean, quantile } from "./support/statistics.mjs";
import { guessingMakespan, knowingMakespan, slotsAt, timedDags } from "./support/timed-dags.mjs";

const engine = await loadPackage("engine");
const { systemClock } = await loadPackage("schema");
const count = quick ? 40 : 200;
const loads = [0.5, 1, 4];
/** Real runs at once: enough to be done soon, few enough for one core to be idle nearly always. */
const atOnce = 20;
const text = { kind: "text", text: "done" };

const report = createReport("makespan");
await onVirtualClock(timedDags(count));
await underLimits(timedDags(count));
await onRealClock(timedDags(count, { medianMilliseconds: quick ? 100 : 200, rounded: true }));
report.end();

/** Milliseconds that a run takes when its agents do nothing but sleep; priorities are hops, as the graph director has them. */
async function makespan({ parents, times }, parallel, clock) {
  const work = async (node, context) => {
    await clock.sleep(times[node], context.signal);
    return text;
  };
  const run = runDag(engine, prepareDag(parents, heights(parents)), { store: engine.createNullStore(), work, parallel, clock });
  const { seconds } = await (clock.runUntil?.(run) ?? run);
  return seconds * 1000;
}

async function onVirtualClock(dags) {
  let exact = 0;
  for (const dag of dags) {
    // The engine gives seconds; the same division makes the two comparable to the last bit.
    const took = await makespan(dag, dag.parents.length, engine.createVirtualClock());
    if (took === (dag.critical / 1000) * 1000) exact++;
  }
  report.row({
    what: `makespan of ${dags.length} random DAGs without a limit, virtual clock: exactly the critical path`,
    figure: `${exact} of ${dags.length}`,
    bar: "all",
    met: exact === dags.length,
  });
}

async function underLimits(dags) {
  const lines = [];
  for (const load of loads) {
    const ratios = { engine: [], guessing: [] };
    for (const dag of dags) {
      const slots = slotsAt(load, dag);
      const known = knowingMakespan(dag, slots);
      ratios.engine.push((await makespan(dag, slots, engine.createVirtualClock())) / known);
      ratios.guessing.push(guessingMakespan(dag, slots) / known);
    }
    const [ours, theirs] = [mean(ratios.engine), mean(ratios.guessing)];
    lines.push([load, ours.toFixed(3), quantile(ratios.engine, 0.95).toFixed(3), theirs.toFixed(3)]);
    report.note(
      `load ${load}: ${ours.toFixed(3)} × list scheduling that knows the times; one that knows their distribution ${theirs.toFixed(3)}`,
    );
    report.row({
      what: `makespan with a limit, load ${load} ÷ list scheduling that knows the times`,
      figure: `${ours.toFixed(3)} (that knows the distribution: ${theirs.toFixed(3)}; n = ${dags.length})`,
      bar: "≤ 1.06",
      met: ours <= 1.06,
    });
  }
  report.section({
    title: "Makespan with a limit",
    about: `${dags.length} random DAGs of 30 to 150 nodes, log-normal times (σ = 1), ratios to list scheduling that knows the times.`,
    head: ["load", "mean", "p95", "a scheduler that knows the distribution"],
    rows: lines,
  });
}

async function onRealClock(dags) {
  const ratios = [];
  for (let first = 0; first < dags.length; first += atOnce) {
    const batch = dags.slice(first, first + atOnce);
    ratios.push(...(await Promise.all(batch.map(async (dag) => (await makespan(dag, dag.parents.length, systemClock)) / dag.critical))));
  }
  const worst = Math.max(...ratios);
  report.row({
    what: `makespan of ${dags.length} random DAGs without a limit, real clock ÷ critical path, the worst of all`,
    figure: `${worst.toFixed(3)} (mean ${mean(ratios).toFixed(3)})`,
    bar: "≤ 1.02",
    met: worst <= 1.02,
  });
}

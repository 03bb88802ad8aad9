// Scheduling cost per activation with agents that do nothing and no log: `node test/bench/scheduling.mjs [--quick] [--json]`, after
// `npm run build`. With --memory the log is kept in memory. Each figure is the median processor time of several runs in one warm
// process, garbage collection included, so that other work on the machine disturbs little; in brackets, its ratio to bare promises.

import { barePromises } from "./support/bare-promises.mjs";
import { prepareDag, runDag } from "./support/dag-run.mjs";
import { processorMicros } from "./support/measuring.mjs";
import { quick } from "./support/options.mjs";
import { loadPackage } from "./support/packages.mjs";
import { createReport } from "./support/report.mjs";
import { shapes } from "./support/shapes.mjs";
import { median } from "./support/statistics.mjs";

const { createMemoryStore, createNullStore, ...engine } = await loadPackage("engine");
const logged = process.argv.includes("--memory");
const text = { kind: "text", text: "done" };
const of = ["chain", "fan", "layered"];
const repeatsOf = quick ? { 1000: 30, 10000: 5 } : { 1000: 50, 10000: 10, 100000: 5 };
const sizes = Object.keys(repeatsOf).map(Number);
const most = 5;
const report = createReport("scheduling");
const ways = { "step by step": true, "all at once": false };

// A forced collection between runs would throw away what the compiler has learnt, so there is none, but a warm-up.
for (let i = 0; i < 40; i++)
  for (const stepwise of [false, true]) for (const shape of of) await once(prepareDag(shapes[shape](1000)), stepwise);

const lines = [];
for (const [way, stepwise] of Object.entries(ways)) {
  const found = [];
  for (const shape of of) for (const n of sizes) found.push(await measure(shape, n, stepwise));
  for (const shape of of) {
    const cells = found.filter((one) => one.shape === shape).map(({ micros, ratio }) => `${micros.toFixed(2)} (${ratio.toFixed(1)})`);
    report.note(`${way.padEnd(13)} ${shape.padEnd(8)} ${cells.join("  ")}`);
    lines.push([way, shape, ...cells]);
  }
  const dearest = found.reduce((worst, one) => (one.micros > worst.micros ? one : worst));
  report.row({
    what: `scheduling cost per activation, ${logged ? "log in memory" : "events off"}, ${way}, ${sizes[0]} to ${sizes.at(-1)}`,
    figure: `${dearest.micros.toFixed(2)} µs at most (${dearest.shape} of ${dearest.n}), ${dearest.ratio.toFixed(1)} × bare promises`,
    ...(logged ? {} : { bar: `≤ ${most} µs`, met: dearest.micros <= most }),
  });
}
report.section({
  title: "Scheduling",
  about: "processor microseconds per activation, in brackets the ratio to bare promises on the same DAG.",
  head: ["started", "shape", ...sizes.map((n) => `N = ${n}`)],
  rows: lines,
});
report.end();

async function measure(shape, n, stepwise) {
  const dag = prepareDag(shapes[shape](n));
  const costs = [];
  const yard = [];
  for (let i = 0; i < repeatsOf[n]; i++) {
    costs.push(await once(dag, stepwise));
    yard.push((await processorMicros(() => barePromises(dag.parents, async () => text))) / n);
  }
  return { shape, n, micros: median(costs), ratio: median(costs) / median(yard) };
}

async function once(dag, stepwise) {
  const counts = new Uint8Array(dag.parents.length);
  const work = async (node) => {
    counts[node]++;
    return text;
  };
  const store = logged ? createMemoryStore() : createNullStore();
  const micros = await processorMicros(() => runDag(engine, dag, { store, work, stepwise }));
  if (counts.some((count) => count !== 1)) throw new Error("Not every node ran once.");
  return micros / dag.parents.length;
}

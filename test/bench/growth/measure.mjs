// In a process of its own: what an activation of one shape costs at several sizes. See growth.mjs.

import { barePromises } from "../support/bare-promises.mjs";
import { prepareDag, runDag } from "../support/dag-run.mjs";
import { answer, question } from "../support/fresh-process.mjs";
import { processorMicros } from "../support/measuring.mjs";
import { loadPackage } from "../support/packages.mjs";
import { narrowBipartite, shapes } from "../support/shapes.mjs";
import { mean } from "../support/statistics.mjs";

const { shape, stepwise, sizes, repeats } = question();
const engine = await loadPackage("engine");
const make = shape === "bipartite" ? narrowBipartite : shapes[shape];
const dags = sizes.map((n) => prepareDag(make(n)));
const text = Promise.resolve({ kind: "text", text: "done" });
const bareWork = async () => undefined;

// A forced collection between runs would throw away what the compiler has learnt, so there is none, but a warm-up.
for (let i = 0; i < 60_000 / sizes[0]; i++) await cost(dags[0]);
const points = { troupe: [], bare: [] };
// Round by round, so that whatever else the machine does meets all sizes alike.
for (let round = 0; round < repeats; round++) {
  for (const [i, dag] of dags.entries()) {
    points.troupe.push({ size: sizes[i], cost: await averageCost(i, () => cost(dag)) });
    points.bare.push({ size: sizes[i], cost: await averageCost(i, () => processorMicros(() => barePromises(dag.parents, bareWork))) });
  }
}
answer(points);

/** Small runs are made several times, so that no point is a single moment. */
async function averageCost(size, spend) {
  const costs = [];
  for (let left = Math.sqrt(sizes.at(-1) / sizes[size]); left > 0; left--) costs.push(await spend());
  return mean(costs);
}

/** Processor microseconds of one whole run. */
async function cost(dag) {
  const counts = new Uint8Array(dag.parents.length);
  const work = (node) => {
    counts[node]++;
    return text;
  };
  const spent = await processorMicros(() => runDag(engine, dag, { store: engine.createNullStore(), work, stepwise }));
  if (counts.some((count) => count !== 1)) throw new Error("Not every node ran once.");
  return spent;
}

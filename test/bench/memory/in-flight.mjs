// In a process of its own: what an activation holds while very many are in flight at once. See memory.mjs.

import { prepareDag, runDag } from "../support/dag-run.mjs";
import { answer, question } from "../support/fresh-process.mjs";
import { bytesInUse, peakMegabytes } from "../support/measuring.mjs";
import { loadPackage } from "../support/packages.mjs";

const { n } = question();
const engine = await loadPackage("engine");
const text = { kind: "text", text: "done" };
const independent = (count) => prepareDag(Array.from({ length: count }, () => []));

// Code that is compiled on the way is not what an activation holds.
await runDag(engine, independent(1000), { store: engine.createNullStore(), work: async () => text });

const dag = independent(n);
let inFlight = 0;
let finish;
const finished = new Promise((resolve) => {
  finish = resolve;
});
let allBegun;
const full = new Promise((resolve) => {
  allBegun = resolve;
});
const before = bytesInUse();
const work = async () => {
  if (++inFlight === n) allBegun();
  await finished;
  return text;
};
const run = runDag(engine, dag, { store: engine.createNullStore(), work, parallel: n });
await full;
const bytes = (bytesInUse() - before) / n;
finish();
await run;
answer({ bytes, peak: peakMegabytes() });

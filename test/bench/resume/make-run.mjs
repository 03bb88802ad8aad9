// In a process of its own: a run that is interrupted after so many activations, in a database. See resume.mjs.

import { createDagDirector, headerOf, noModels, prepareDag } from "../support/dag-run.mjs";
import { answer, question } from "../support/fresh-process.mjs";
import { loadPackage } from "../support/packages.mjs";
import { shapes } from "../support/shapes.mjs";

const { path, shape, nodes, after } = question();
const { executeRun } = await loadPackage("engine");
const { openStore } = await loadPackage("store");
const store = openStore(path);
const controller = new AbortController();
let ran = 0;
const act = async ({ activation }) => {
  if (++ran === after) controller.abort(new Error("enough"));
  return { kind: "text", text: `done ${activation.id}` };
};
const { outcome } = await executeRun({
  ...{ run: "bench", header: headerOf("bench", { parallel: 64 }), director: createDagDirector(prepareDag(shapes[shape](nodes))) },
  ...{ store, models: noModels, runners: { act }, signal: controller.signal },
}).result;
store.close();
if (outcome.kind !== "cancelled") throw new Error(`The run was not interrupted: ${JSON.stringify(outcome)}`);
answer({ ran });

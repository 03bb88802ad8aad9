// In a process of its own: the seconds from opening the database until the first new activation of a resumed run. See resume.mjs.

import { createDagDirector, noModels, prepareDag } from "../support/dag-run.mjs";
import { answer, question } from "../support/fresh-process.mjs";
import { loadPackage } from "../support/packages.mjs";
import { shapes } from "../support/shapes.mjs";

const { path, shape, nodes } = question();
const { resumeRun } = await loadPackage("engine");
const { openStore } = await loadPackage("store");
const dag = prepareDag(shapes[shape](nodes));
const controller = new AbortController();
let seconds;
let processor;
const cpu = process.cpuUsage();
const began = performance.now();
const act = async ({ activation }) => {
  if (seconds === undefined) {
    seconds = (performance.now() - began) / 1000;
    const { user, system } = process.cpuUsage(cpu);
    processor = (user + system) / 1e6;
    controller.abort(new Error("seen"));
  }
  return { kind: "text", text: `done ${activation.id}` };
};
const store = openStore(path);
const parts = { director: createDagDirector(dag), store, models: noModels, runners: { act }, signal: controller.signal };
await resumeRun({ run: "bench", limits: {}, ...parts }).result;
store.close();
answer({ seconds, processor });

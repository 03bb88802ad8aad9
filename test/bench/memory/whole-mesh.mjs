// In a process of its own: a whole persisted run of a mesh with critics whose model answers at once. See memory.mjs.

import { mkdtempSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { answer, question } from "../support/fresh-process.mjs";
import { peakMegabytes, processorMicros } from "../support/measuring.mjs";
import { meshBundle } from "../support/mesh.mjs";
import { loadPackage } from "../support/packages.mjs";

const { nodes } = question();
const { runTroupe } = await loadPackage("runtime");
const { openStore } = await loadPackage("store");
const { createScriptedModel } = await loadPackage("models");
const { projectFile } = await loadPackage("schema");

const folder = mkdtempSync(join(tmpdir(), "troupe-bench-"));
const path = join(folder, "runs.db");
const store = openStore(path);
const isCritic = ({ messages }) => messages.some(({ content }) => content.includes("REVISE:"));
let version = 0;
// Critics always want more, so every edge takes all of its activations.
const models = createScriptedModel((request) => (isCritic(request) ? "REVISE: say more" : `Version ${version++} of the text.`));
const sandbox = { name: "none", strength: "none", run: () => Promise.reject(new Error("Nothing has to be run.")) };
const project = { root: folder, path: undefined, file: projectFile.parse({}) };
const ports = { project, models, modelNames: undefined, sandbox, store, close: async () => undefined };

try {
  const task = { prompt: "Write a text", output: "text" };
  const began = performance.now();
  let ended;
  const micros = await processorMicros(async () => {
    ended = await runTroupe({ topology: meshBundle(nodes), task, ports, seed: 1, limits: { parallel: 64 } }).result;
  });
  const seconds = (performance.now() - began) / 1000;
  if (ended.outcome.kind !== "completed") throw new Error(`wrong run: ${JSON.stringify(ended.outcome)}`);
  const activations = store.events(ended.run).filter(({ kind }) => kind === "activation.settled").length;
  store.close();
  answer({ seconds, processor: micros / 1e6, activations, calls: ended.usage.calls, bytes: statSync(path).size, peak: peakMegabytes() });
} finally {
  rmSync(folder, { recursive: true, force: true });
}

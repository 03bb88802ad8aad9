// Sessions of the run that the fault tests disturb.
import { createAgentRunner } from "@troupe/agents";
import { createDirector } from "@troupe/directors";
import { executeRun, resumeRun } from "@troupe/engine";
import { bundleTopology } from "@troupe/topology";
import { bundleOf, createSlowModel, scenes } from "./scene.mjs";

/** The run's name. */
export const run = "run";

/**
 * Starts the run, or goes on with it where its log is there.
 *
 * @param told of what the model is asked and answers, see `createSlowModel`.
 */
export function goOn(store, { scene, seed, told = () => undefined }) {
  const { graph } = bundleTopology(bundleOf(scenes[scene]));
  const sandbox = { name: "none", strength: "none", run: () => Promise.reject(new Error("Nothing runs programs here.")) };
  const runners = { act: createAgentRunner({ sandbox }) };
  const parts = { run, director: createDirector(graph), store, models: createSlowModel(seed, told), runners };
  const session = { ...parts, signal: new AbortController().signal };
  return store.events(run).length === 0 ? executeRun({ ...session, header: headerOf(graph, store) }) : resumeRun(session);
}

function headerOf(graph, store) {
  const bundle = store.put({ kind: "json", value: {} });
  const task = { id: "task", prompt: "Write a line.", output: "text", language: "python", files: [], tests: [] };
  const taskRef = store.put({ kind: "text", text: task.prompt });
  const about = { topology: graph.name, bundle, task, taskRef, seed: 1, limits: graph.limits, agents: { ...graph.agents }, version: "0" };
  return { kind: "run.started", run, ...about };
}

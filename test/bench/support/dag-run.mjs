// What the benchmarks of the engine share: a director that runs a DAG, and the rest that a run needs.

import { childrenOf } from "./shapes.mjs";

const ref = { hash: "0".repeat(64), kind: "text", bytes: 0 };
const task = { id: "t", prompt: "p", output: "text", language: "python", files: [], tests: [] };

/** Models that nobody may ask. */
export const noModels = {
  chat: () => Promise.reject(new Error("no model")),
  info: () => Promise.reject(new Error("no model")),
  estimate: () => ({ tokens: 0, usd: 0 }),
  close: () => Promise.resolve(),
};

/** The first event of a run. */
export function headerOf(run, limits) {
  return { kind: "run.started", run, topology: "bench", bundle: ref, task, taskRef: ref, seed: 1, limits, agents: {}, version: "0" };
}

/** What of a DAG can be worked out once for many runs. */
export function prepareDag(parents, priorities) {
  return { parents, children: childrenOf(parents), inDegrees: Int32Array.from(parents, (list) => list.length), priorities };
}

/**
 * Makes the director of one run. Step by step it starts each node when its parents are done, as directors that grow a graph do; else
 * everything at once. The run ends when all is done; its product is what settled last. `nodeOf(activation)` says which node one is.
 */
export function createDagDirector(dag, { stepwise = true } = {}) {
  return stepwise ? stepByStep(dag) : allAtOnce(dag);
}

function stepByStep({ parents, children, inDegrees, priorities }) {
  const missing = Int32Array.from(inDegrees);
  const nodeOf = [];
  const idOf = new Int32Array(parents.length);
  let done = 0;
  const start = (nodes, view) => {
    if (nodes.length === 0) return {};
    for (let i = 0; i < nodes.length; i++) {
      nodeOf[view.nextId + i] = nodes[i];
      idOf[nodes[i]] = view.nextId + i;
    }
    return { start: nodes.map((node) => draft(priorities?.[node], parents[node], idOf)) };
  };
  return {
    ...quiet,
    nodeOf: (activation) => nodeOf[activation],
    start: (view) =>
      start(
        [...parents.keys()].filter((node) => missing[node] === 0),
        view,
      ),
    settled: ({ activation, artifact }, view) => {
      if (++done === parents.length) return { finish: { kind: "completed", artifact } };
      return start(
        children[nodeOf[activation]].filter((child) => --missing[child] === 0),
        view,
      );
    },
  };
}

function allAtOnce({ parents, priorities }) {
  let done = 0;
  const own = parents.map((_, node) => node);
  return {
    ...quiet,
    nodeOf: (activation) => activation,
    start: () => ({ start: parents.map((list, node) => draft(priorities?.[node], list, own)) }),
    settled: ({ artifact }) => (++done === parents.length ? { finish: { kind: "completed", artifact } } : {}),
  };
}

const quiet = { notice: () => ({}), idle: () => ({ deadlocked: [] }), best: () => undefined };

function draft(priority, parents, idOf) {
  const inputs = parents.map((parent) => ({ name: "in", from: idOf[parent] }));
  return priority === undefined ? { kind: "act", label: "node", inputs } : { kind: "act", label: "node", inputs, priority };
}

/**
 * Runs a DAG on the engine to its end.
 *
 * @param engine the package `@troupe/engine`, built or from its sources.
 * @param options `store` and `work(node, context)`, which gives an artifact; `clock`, `parallel`, `stepwise` and `run` may be left out.
 * @throws Error when the run does not end as completed.
 */
export async function runDag(engine, dag, options) {
  const { store, work, parallel = 10_000, stepwise, run = "bench", clock } = options;
  const director = createDagDirector(dag, { stepwise });
  const { nodeOf } = director;
  const result = await engine.executeRun({
    ...{ run, header: headerOf(run, { parallel }), director, models: noModels, store, signal: new AbortController().signal },
    ...(clock === undefined ? {} : { clock }),
    runners: { act: (context) => work(nodeOf(context.activation.id), context) },
  }).result;
  if (result.outcome.kind !== "completed") throw new Error(`wrong run: ${JSON.stringify(result.outcome)}`);
  return result;
}

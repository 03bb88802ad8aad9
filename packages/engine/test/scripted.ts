import {
  type ActivationRunner,
  type ArtifactRef,
  type ChatAnswer,
  type ChatOptions,
  type ChatRequest,
  type Director,
  type Limits,
  type ModelClient,
  type RunEvent,
  type RunStore,
  type Step,
  TroupeError,
} from "@troupe/schema";
import { createMemoryStore, type ExecuteRunOptions, executeRun, type RunHeader } from "../src/index.ts";

const ref: ArtifactRef = { hash: "0".repeat(64), kind: "text", bytes: 0 };

/** The first event of a test run. */
export function header(limits: Limits = {}, run = "test"): RunHeader {
  const task = { id: "t", prompt: "p", output: "text", language: "python", files: [], tests: [] } as const;
  return {
    ...{ kind: "run.started", run, topology: "test", bundle: ref, taskRef: ref, seed: 7, limits, agents: {}, version: "0" },
    task: { ...task, files: [], tests: [] },
  } as RunHeader;
}

/** Parents of each node; they come before it. */
export type Dag = readonly (readonly number[])[];

/** A director that plans a DAG and remembers what it was told. */
export interface DagDirector extends Director {
  readonly told: string[];
}

/** Starts everything at once; the last node's output is the product. */
export function allAtOnce(dag: Dag, priorities: readonly number[] = []): DagDirector {
  const drafts = dag.map((parents, i) => ({
    ...{ kind: "act" as const, label: `node ${i}`, priority: priorities[i] ?? 0 },
    inputs: parents.map((from) => ({ name: `from ${from}`, from })),
  }));
  return planned(dag, () => ({ start: drafts }), { next: () => ({}) });
}

/** Starts a node when all its parents are done, as directors that grow a graph do. */
export function stepByStep(dag: Dag): DagDirector {
  const idOf = new Map<number, number>();
  const nodeOf = new Map<number, number>();
  const missing = dag.map((parents) => parents.length);
  const start = (nodes: readonly number[], firstId: number): Step => ({
    start: nodes.map((node, index) => {
      idOf.set(node, firstId + index);
      nodeOf.set(firstId + index, node);
      const inputs = (dag[node] ?? []).map((parent) => ({ name: `from ${parent}`, from: idOf.get(parent) ?? -1 }));
      return { kind: "act" as const, label: `node ${node}`, inputs };
    }),
  });
  const next = (id: number, nextId: number): Step => {
    const done = nodeOf.get(id) ?? -1;
    const ready: number[] = [];
    dag.forEach((parents, node) => {
      if (!parents.includes(done)) return;
      const left = (missing[node] ?? 0) - 1;
      missing[node] = left;
      if (left === 0) ready.push(node);
    });
    return start(ready, nextId);
  };
  const sources = dag.flatMap((parents, node) => (parents.length === 0 ? [node] : []));
  return planned(dag, (nextId) => start(sources, nextId), { next });
}

function planned(dag: Dag, begin: (nextId: number) => Step, { next }: { next: (id: number, nextId: number) => Step }): DagDirector {
  const told: string[] = [];
  let done = 0;
  let product: ArtifactRef | undefined;
  return {
    told,
    start: (view) => {
      told.push("start");
      return begin(view.nextId);
    },
    settled: ({ activation, state, artifact, error }, view) => {
      told.push(`${activation} ${state}`);
      if (state === "failed" && error !== undefined) return { finish: { kind: "failed", error } };
      if (state === "cancelled") return {};
      if (view.activation(activation).label === `node ${dag.length - 1}`) product = artifact;
      if (++done === dag.length && product !== undefined) return { finish: { kind: "completed", artifact: product } };
      return next(activation, view.nextId);
    },
    notice: ({ topic }) => {
      told.push(`notice ${topic}`);
      return {};
    },
    idle: () => {
      told.push("idle");
      return { deadlocked: ["somebody waits for something"] };
    },
    best: () => product,
  };
}

/** A model client that answers by a function of the request and counts its calls. */
export interface ScriptedModels extends ModelClient {
  readonly asked: ChatRequest[];
}

/** Makes a {@link ScriptedModels}; what the function throws, the call throws. */
export function scriptedModels(
  answer: (request: ChatRequest, options: ChatOptions, call: number) => string | Promise<string>,
  cost = { tokens: 100, usd: 0.01 },
): ScriptedModels {
  const asked: ChatRequest[] = [];
  return {
    asked,
    chat: async (request, options): Promise<ChatAnswer> => {
      asked.push(request);
      const text = await answer(request, options, asked.length - 1);
      options.onDelta?.(text);
      const usage = { calls: 1, inputTokens: cost.tokens / 2, outputTokens: cost.tokens / 2, usd: cost.usd, seconds: 0, estimated: false };
      return { text, toolCalls: [], finish: "stop", usage, endpoint: "scripted" };
    },
    embed: () => Promise.reject(new TroupeError("internal", "Nobody may ask for embeddings.")),
    info: () => Promise.resolve({ contextTokens: 1000, tools: "text" }),
    estimate: () => ({ ...cost }),
    close: () => Promise.resolve(),
  };
}

/** Models that nobody may ask. */
export const noModels = scriptedModels(() => {
  throw new TroupeError("internal", "No model in this test.");
});

/** A request with one message. */
export function question(content: string): ChatRequest {
  return { model: "m", messages: [{ role: "user", content }], maxTokens: 50 };
}

/** Returns its own label and what it got, so that the product shows every path. */
export const sign: ActivationRunner = ({ activation, inputs }) =>
  Promise.resolve({ kind: "text", text: `${activation.label}(${inputs.map(({ artifact }) => textOf(artifact)).join(",")})`.slice(0, 500) });

/** Asks a model once, and signs with its answer. */
export const ask: ActivationRunner = async (context) => {
  const inputs = context.inputs.map(({ artifact }) => textOf(artifact)).join(",");
  const { text } = await context.chat(question(`${context.activation.label}(${inputs})`.slice(0, 500)));
  return { kind: "text", text };
};

function textOf(artifact: { kind: string }): string {
  return "text" in artifact ? String(artifact.text) : "";
}

/** Options of a run with all that a test doesn't care about. */
export function options(some: Partial<ExecuteRunOptions> & { limits?: Limits } = {}): ExecuteRunOptions & { store: RunStore } {
  const { limits, ...rest } = some;
  return {
    ...{ run: "test", header: header(limits), director: allAtOnce([[]]), store: createMemoryStore(), models: noModels },
    ...{ runners: { act: sign }, signal: new AbortController().signal },
    ...rest,
  };
}

/** Runs to the end. */
export function run(some: Partial<ExecuteRunOptions> & { limits?: Limits } = {}) {
  return executeRun(options(some)).result;
}

/** How many events of a kind a log holds. */
export function count(events: readonly RunEvent[], kind: RunEvent["kind"]): number {
  return events.filter((event) => event.kind === kind).length;
}

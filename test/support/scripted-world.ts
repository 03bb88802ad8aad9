import { createAgentRunner } from "@troupe/agents";
import { createDirector } from "@troupe/directors";
import { createMemoryStore, type EngineRun, executeRun, type RunHeader } from "@troupe/engine";
import { createScriptedModel, type ModelScript, type ScriptedModel, type ScriptedModelOptions } from "@troupe/models";
import type { Ports } from "@troupe/runtime";
import {
  type ChatRequest,
  type Clock,
  type Limits,
  projectFile,
  publicTask,
  type RunEvent,
  type RunStore,
  type Sandbox,
  type SandboxJob,
  type SandboxResult,
  type TopologyBundle,
  topologyBundle,
  type WatchedEvent,
} from "@troupe/schema";
import { bundleTopology } from "@troupe/topology";

/** Ports of scripted parts, with the model in its own type. */
export interface ScriptedPorts extends Ports {
  readonly model: ScriptedModel;
}

/** Ports with a scripted model, a store in memory, and a sandbox in which everything ends well. */
export function scriptedPorts(
  script: ModelScript,
  { store = createMemoryStore(), sandbox, ...options }: ScriptedModelOptions & { store?: RunStore; sandbox?: Sandbox } = {},
): ScriptedPorts {
  const model = createScriptedModel(script, options);
  const project = { root: process.cwd(), path: undefined, file: projectFile.parse({}) };
  const close = () => Promise.resolve();
  return { project, models: model, model, modelNames: undefined, sandbox: sandbox ?? fakeSandbox(), store, close };
}

/** A sandbox that runs nothing: a function says what a job does. */
export function fakeSandbox(
  run: (job: SandboxJob, signal: AbortSignal) => Partial<SandboxResult> | Promise<Partial<SandboxResult>> = () => ({}),
): Sandbox {
  const ended = { ended: "exited", exitCode: 0, stdout: "", stderr: "", truncated: false, seconds: 0, sandbox: "fake" } as const;
  return { name: "fake", strength: "none", run: async (job, signal) => ({ ...ended, files: job.files, ...(await run(job, signal)) }) };
}

/** The instructions of a card by which {@link whoAsks} knows its agent again. */
const iAm = (name: string): string => `I am ${name}.`;

/** Which agent asks a model. */
export function whoAsks({ messages }: Pick<ChatRequest, "messages">): string {
  return /I am ([\w-]+)\./.exec(messages[0]?.content ?? "")?.[1] ?? "";
}

/** A graph of text writers, one card for each node and called like it, and an aggregator `merger`; to be changed in any part. */
export function textGraph(nodes: readonly string[], edges: readonly string[], file: Record<string, unknown> = {}): TopologyBundle {
  const card = (name: string, kind: string) => ({
    agent: 1,
    name,
    kind,
    output: kind === "critic" ? undefined : "text",
    instructions: iAm(name),
  });
  const defaults = { aggregator: "merger", ...(file["defaults"] as object | undefined) };
  const cards = [...nodes.map((name) => card(name, "actor")), card("merger", "aggregator"), card("critic", "critic")];
  return topologyBundle.parse({
    file: {
      ...{ troupe: 1, name: "test", nodes: nodes.map((id) => ({ id, agent: id })) },
      ...(edges.length === 0 ? {} : { edges }),
      ...file,
      defaults,
    },
    cards: Object.fromEntries(cards.map((one) => [one.name, one])),
  });
}

/** A task that is answered by a text. */
export const textTask = { id: "t", prompt: "Say who you are.", output: "text" } as const;

/** Where and how a run goes on whose clock is the test's. */
export interface ClockedRun {
  readonly ports: ScriptedPorts;
  readonly clock: Clock;
  readonly signal: AbortSignal;
  readonly limits?: Limits;
}

/** The first event of a run called `test`. */
export function runHeader(limits: Limits, task: object = {}, some: Partial<RunHeader> = {}): RunHeader {
  const ref = { hash: "0".repeat(64), kind: "json", bytes: 0 } as const;
  return {
    ...{ kind: "run.started", run: "test", topology: "test", bundle: ref, seed: 1, version: "0", taskRef: ref, limits, agents: {} },
    ...{ task: publicTask.parse({ id: "t", prompt: "Print 1.", ...task }), ...some },
  };
}

/** Starts a topology as `runTroupe` does, on a clock of the test. */
export function executeTopology(bundle: TopologyBundle, task: object, { ports, clock, signal, limits = {} }: ClockedRun): EngineRun {
  const { store, sandbox, models } = ports;
  const { graph } = bundleTopology(bundle);
  const taskRef = store.put({ kind: "text", text: "Print 1." });
  const header = runHeader(limits, task, { taskRef, agents: { ...graph.agents } });
  const runners = { act: createAgentRunner({ sandbox }) };
  return executeRun({ run: "test", header, director: createDirector(graph), store, models, runners, clock, signal });
}

/** Everything that a watcher sees of a run but deltas. */
export async function watch(run: AsyncIterable<WatchedEvent>): Promise<RunEvent[]> {
  const events: RunEvent[] = [];
  for await (const event of run) if (event.kind !== "call.delta") events.push(event);
  return events;
}

/** A promise that only an abort settles. */
export function untilAborted(signal: AbortSignal): Promise<never> {
  return new Promise((_, reject) => {
    if (signal.aborted) reject(signal.reason as Error);
    signal.addEventListener("abort", () => reject(signal.reason as Error), { once: true });
  });
}

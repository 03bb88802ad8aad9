import { randomInt } from "node:crypto";
import type { EngineRun } from "@troupe/engine";
import {
  type Artifact,
  type Clock,
  type EventOf,
  type Limits,
  type PublicTask,
  publicTask,
  type RunResult,
  systemClock,
  type Task,
  type TopologyBundle,
  toPublicTask,
  TroupeError,
  type WatchedEvent,
} from "@troupe/schema";
import { bundleTopology, compileTopology, type CompiledTopology, loadTopology } from "@troupe/topology";
import { openPorts, type OpenPortsOptions, type Ports } from "./ports.ts";
import { productOf, resumeEngine, startEngine } from "./prepared-run.ts";
import { type Project, readProject } from "./project.ts";
import { newRunName } from "./run-name.ts";
import { version } from "./version.ts";

/** Where a run lives, when the defaults don't fit. */
export interface WorldOptions {
  /** Folder that paths start from; default: the working folder. */
  readonly cwd?: string;
  /** Path of a `troupe.yaml`; default: the nearest one upwards from `cwd`. */
  readonly project?: string;
  /** Path of the database; default: the platform's data folder. */
  readonly db?: string;
  /** Where model-written code runs; default `auto`. */
  readonly sandbox?: OpenPortsOptions["sandbox"];
  /** Default: the process's environment. */
  readonly env?: OpenPortsOptions["env"];
  readonly onProgress?: (message: string) => void;
  /** Ports to use instead of opening some; they stay open. */
  readonly ports?: Ports;
  readonly clock?: Clock;
}

/** What to run. */
export interface RunTroupeOptions extends WorldOptions {
  /** Path of a topology file, or a topology with its cards as an object. */
  readonly topology: string | TopologyBundle;
  /** A request in words (a Python program is made), or a task; its grader is never shown to an agent. */
  readonly task: string | (Partial<Task> & { readonly prompt: string });
  /** Name of an earlier run whose product this one changes. */
  readonly from?: string;
  /** Seed of every random choice, 0 to 2^32 − 1; default: drawn, and recorded in the log. */
  readonly seed?: number;
  /** Win over the topology's and the project's limits. */
  readonly limits?: Limits;
}

/** What `run.result` gives. */
export interface TroupeResult extends Omit<RunResult, "artifact"> {
  /** The product, or the best artifact so far. */
  readonly artifact: Artifact | undefined;
}

/** A run that goes on by itself; watching it is optional. */
export interface TroupeRun extends AsyncIterable<WatchedEvent> {
  /**
   * How it ended: also a limit or an interruption is a result, not an error.
   * Rejects with a TroupeError only for what is wrong before the first activation: a bad file, a missing model, no sandbox.
   */
  readonly result: Promise<TroupeResult>;
}

/**
 * Runs one topology on one task: the one door through which every run is started.
 *
 * @example
 * const run = runTroupe({ topology: "topologies/review-chain.yaml", task: "A command-line unit converter with tests" });
 * for await (const event of run) console.log(event.kind);
 * const { outcome, artifact, usage } = await run.result;
 */
export function runTroupe(options: RunTroupeOptions, { signal = new AbortController().signal }: { signal?: AbortSignal } = {}): TroupeRun {
  return start(options, signal, async (world) => {
    const { ports, project, clock } = world;
    const { bundle, graph } = await topologyOf(options, project, signal);
    const task = taskOf(options.task);
    const from = options.from === undefined ? undefined : ports.store.resolve(options.from);
    const header: Omit<EventOf<"run.started">, "seq" | "at"> = {
      kind: "run.started",
      run: newRunName(clock.now()),
      topology: graph.name,
      bundle: ports.store.put({ kind: "json", value: bundle }),
      task,
      taskRef: ports.store.put({ kind: "text", text: task.prompt }),
      ...(from === undefined ? {} : { from: { run: from, artifact: productOf(from, ports.store) } }),
      seed: options.seed ?? randomInt(2 ** 32),
      limits: { ...project.file.limits, ...graph.limits, ...options.limits },
      agents: { ...graph.agents },
      version,
    };
    return startEngine(header, graph, ports, signal);
  });
}

/** Which run to go on with. */
export interface ResumeTroupeOptions extends WorldOptions {
  /** Name of the run, a unique beginning of it, or `last`. */
  readonly run: string;
  /** Win over the limits the run had. */
  readonly limits?: Limits;
}

/**
 * Goes on with a run that was interrupted, reached a limit, failed or crashed. What is finished does not run again,
 * and a model answer that is in the log is not asked for again.
 *
 * @throws TroupeError through `result`: `run_unknown`, `run_not_resumable`, and what {@link runTroupe} throws.
 */
export function resumeTroupe(
  options: ResumeTroupeOptions,
  { signal = new AbortController().signal }: { signal?: AbortSignal } = {},
): TroupeRun {
  return start(options, signal, async ({ ports }) => resumeEngine(ports.store.resolve(options.run), options.limits ?? {}, ports, signal));
}

interface World {
  readonly ports: Ports;
  readonly project: Project;
  readonly clock: Clock;
}

/** Opens the world, starts an engine in it, and gives both to the caller as one run. */
function start(options: WorldOptions, signal: AbortSignal, begin: (world: World) => Promise<EngineRun>): TroupeRun {
  const open = async (): Promise<World> => {
    const project = await readProject(options.cwd ?? process.cwd(), options.project);
    const { db, sandbox, onProgress, env = process.env } = options;
    const given = {
      ...(db === undefined ? {} : { db }),
      ...(sandbox === undefined ? {} : { sandbox }),
      ...(onProgress === undefined ? {} : { onProgress }),
    };
    const ports = options.ports ?? (await openPorts({ project, env, signal, ...given }));
    return { ports, project, clock: options.clock ?? systemClock };
  };
  const world = open();
  const close = async () => {
    if (options.ports === undefined) await (await world).ports.close();
  };
  const engine = world.then(begin);
  const result = engine.then(async (run) => {
    const { artifact: ref, ...rest } = await run.result;
    const { store } = (await world).ports;
    return { ...rest, artifact: ref === undefined ? undefined : store.get(ref) };
  });
  const closed = result.finally(() => close());
  closed.catch(() => undefined);
  return {
    result: closed,
    async *[Symbol.asyncIterator]() {
      yield* await engine;
    },
  };
}

async function topologyOf(
  options: RunTroupeOptions,
  project: Project,
  signal: AbortSignal,
): Promise<{ bundle: TopologyBundle; graph: CompiledTopology }> {
  if (typeof options.topology === "string") return loadTopology(options.topology, { cwd: options.cwd ?? process.cwd(), signal });
  const bundle = bundleTopology(options.topology);
  return { bundle, graph: compileTopology(bundle) };
}

function taskOf(given: RunTroupeOptions["task"]): PublicTask {
  const { data, error } = publicTask
    .strip()
    .safeParse(typeof given === "string" ? { id: "task", prompt: given } : { id: "task", ...given });
  if (data === undefined)
    throw new TroupeError(
      "call_invalid",
      `The task is not one: ${error.issues.map((issue) => `${issue.path.join(".")}: ${issue.message}`).join("; ")}.`,
    );
  return data;
}

import { randomInt } from "node:crypto";
import { relative, resolve } from "node:path";
import type { EngineRun } from "@troupe/engine";
import {
  type Artifact,
  type ArtifactRef,
  type Clock,
  type EventOf,
  type Human,
  type Limits,
  mergeLimits,
  type PublicTask,
  publicTask,
  type RunEvent,
  type RunResult,
  type RunStore,
  systemClock,
  type Task,
  type TopologyBundle,
  TroupeError,
  type WatchedEvent,
} from "@troupe/schema";
import { bundleTopology, type LoadedTopology, loadTopology } from "@troupe/topology";
import { openPorts, type Ports, type WorldOptions } from "./ports.ts";
import { productOf, resumeEngine, startEngine } from "./prepared-run.ts";
import { keepTopology } from "./recorded-topology.ts";
import { newRunName } from "./run-name.ts";
import type { IfChanged } from "./topology-to-resume.ts";
import { version } from "./version.ts";

/** Where a run lives. */
export interface RunWorld extends WorldOptions {
  /** Ports to use instead of opening some; they stay open. */
  readonly ports?: Ports | undefined;
  /** Default: the machine's. */
  readonly clock?: Clock | undefined;
}

/** What to run. */
export interface RunTroupeOptions extends RunWorld {
  /** Path of a topology file, or a topology with its cards as an object. */
  readonly topology: string | TopologyBundle;
  /** A request in words (a Python program is made), or a task; its grader is never shown to an agent. */
  readonly task: string | (Partial<Task> & { readonly prompt: string });
  /** Name of an earlier run whose product this one changes. */
  readonly from?: string | undefined;
  /** Seed of every random choice, 0 to 2^32 − 1; default: drawn, and recorded in the log. */
  readonly seed?: number | undefined;
  /** Win over the topology's and the project's limits. */
  readonly limits?: Limits | undefined;
}

/** Who may stop a run, and who is asked by it. */
export interface RunCompany {
  /** Aborting it ends the run as `cancelled`. */
  readonly signal?: AbortSignal | undefined;
  /** Who answers what only a person can; without one, a run that asks ends as failed with `human_missing`, and can be resumed. */
  readonly human?: Human | undefined;
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
export function runTroupe(options: RunTroupeOptions, { signal = new AbortController().signal, human }: RunCompany = {}): TroupeRun {
  return start(options, signal, async (ports) => {
    const { bundle, graph } = await topologyOf(options, ports, signal);
    const task = taskOf(options.task);
    const from = options.from === undefined ? undefined : ports.store.resolve(options.from);
    const header: Omit<EventOf<"run.started">, "seq" | "at"> = {
      kind: "run.started",
      run: newRunName((options.clock ?? systemClock).now()),
      topology: graph.name,
      bundle: keepTopology(bundle, ports.store),
      ...(typeof options.topology === "string" && { file: resolve(options.cwd ?? process.cwd(), options.topology) }),
      task,
      taskRef: ports.store.put({ kind: "text", text: task.prompt }),
      ...(from === undefined ? {} : { from: { run: from, artifact: keptProductOf(from, ports.store) } }),
      seed: options.seed ?? randomInt(2 ** 32),
      limits: mergeLimits(ports.project.file.limits, graph.limits, options.limits),
      agents: { ...graph.agents },
      version,
    };
    return startEngine(header, graph, { ports, signal, human, clock: options.clock });
  });
}

/** Which run to go on with. */
export interface ResumeTroupeOptions extends RunWorld {
  /** Name of the run, a unique beginning of it, or `last`. */
  readonly run: string;
  /** Win over the limits the run had. */
  readonly limits?: Limits | undefined;
  /**
   * What to do when the file that the run was started from says something else now: `refuse` (default), `keep` what the log says, or
   * `accept` what leaves the graph as it is (limits, agents, models, temperatures, and rounds of what has not begun). Without the file,
   * the log is gone on with.
   */
  readonly ifChanged?: IfChanged | undefined;
  /** What the caller has read of the run's log, from its beginning: only what came since is read again. */
  readonly known?: readonly RunEvent[] | undefined;
}

/**
 * Goes on with a run that was interrupted, reached a limit, failed or crashed. What is finished does not run again,
 * and a model answer that is in the log is not asked for again.
 *
 * @throws TroupeError through `result`: `run_unknown`, `run_not_resumable`, `topology_changed`, and what {@link runTroupe} throws.
 */
export function resumeTroupe(options: ResumeTroupeOptions, { signal = new AbortController().signal, human }: RunCompany = {}): TroupeRun {
  const { limits, known, clock, ifChanged, onProgress: tell } = options;
  return start(options, signal, async (ports) => {
    const run = ports.store.resolve(options.run);
    return resumeEngine({ run, limits, known, ifChanged, tell }, { ports, signal, human, clock });
  });
}

/** Opens ports, starts an engine on them, and gives both to the caller as one run. */
function start(options: RunWorld, signal: AbortSignal, begin: (ports: Ports) => Promise<EngineRun>): TroupeRun {
  const ports = options.ports === undefined ? openPorts(options, signal) : Promise.resolve(options.ports);
  const engine = ports.then(begin);
  const close = async () => {
    if (options.ports === undefined) await (await ports).close();
  };
  const result = engine
    .then(async (run) => {
      const { artifact: ref, ...rest } = await run.result;
      return { ...rest, artifact: ref === undefined ? undefined : (await ports).store.get(ref) };
    })
    .finally(close);
  result.catch(() => undefined);
  return {
    result,
    async *[Symbol.asyncIterator]() {
      yield* await engine;
    },
  };
}

/** Put again, so that it stays when its run is pruned before this one is in the log. */
function keptProductOf(run: string, store: RunStore): ArtifactRef {
  return store.put(store.get(productOf(run, store)));
}

async function topologyOf(
  { topology, cwd }: RunTroupeOptions,
  { modelNames: models }: Ports,
  signal: AbortSignal,
): Promise<LoadedTopology> {
  if (typeof topology !== "string") return bundleTopology(topology, { models });
  return loadTopology(cwd === undefined ? topology : relative(process.cwd(), resolve(cwd, topology)), { signal, models });
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

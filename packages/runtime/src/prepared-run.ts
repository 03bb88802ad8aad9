import { createAgentRunner, createScoreRunner, createWaitRunner } from "@troupe/agents";
import { createDirector } from "@troupe/directors";
import { type EngineRun, executeRun, resumeRun } from "@troupe/engine";
import {
  type ArtifactRef,
  type Clock,
  type EventOf,
  type Human,
  type Limits,
  type RunEvent,
  type RunStore,
  systemClock,
  TroupeError,
} from "@troupe/schema";
import type { CompiledTopology } from "@troupe/topology";
import type { Ports } from "./ports.ts";
import { refuseNewer } from "./refuse-newer.ts";
import { type IfChanged, topologyToResume } from "./topology-to-resume.ts";
import { version } from "./version.ts";

/** What a session works with and for. */
export interface SessionWorld {
  readonly ports: Ports;
  readonly signal: AbortSignal;
  /** Who is asked what only a person can answer; undefined: nobody can be. */
  readonly human: Human | undefined;
  /** Default: the machine's. */
  readonly clock: Clock | undefined;
}

/** The parts that every session of a run needs, new or resumed. */
function engineParts(run: string, graph: CompiledTopology, { ports, human, signal, clock = systemClock }: SessionWorld) {
  return {
    run,
    director: createDirector(graph),
    store: ports.store,
    models: ports.models,
    runners: {
      act: createAgentRunner({ sandbox: ports.sandbox }),
      score: createScoreRunner({ sandbox: ports.sandbox }),
      wait: createWaitRunner({ run, human, clock }),
    },
    signal,
  };
}

/** Starts the first session of a run. */
export function startEngine(header: Omit<EventOf<"run.started">, "seq" | "at">, graph: CompiledTopology, world: SessionWorld): EngineRun {
  return executeRun({ header, ...engineParts(header.run, graph, world) });
}

/** Which run to go on with, and how. */
export interface Resumption {
  readonly run: string;
  readonly limits: Limits | undefined;
  /** What was read of its log already. */
  readonly known: readonly RunEvent[] | undefined;
  /** Default: it is refused. */
  readonly ifChanged: IfChanged | undefined;
  readonly tell: ((message: string) => void) | undefined;
}

/** Starts a further session of a run, from its log, or with what has changed in its file. */
export async function resumeEngine(resumption: Resumption, world: SessionWorld): Promise<EngineRun> {
  const { run, limits = {}, ifChanged = "refuse", tell } = resumption;
  const { ports, signal } = world;
  const known = resumption.known ?? ports.store.events(run);
  refuseNewer(known);
  const { graph, adopt } = await topologyToResume({ events: known, ifChanged, ports, signal, tell });
  return resumeRun({ limits, known, adopt, version, ...engineParts(run, graph, world) });
}

/** The `run.started` event of a run. */
export function headerOf(run: string, store: RunStore): EventOf<"run.started"> {
  const first = store.events(run, { limit: 1 })[0];
  if (first?.kind !== "run.started") throw new TroupeError("store_damaged", `The log of run ${run} does not begin with run.started.`);
  return first;
}

/**
 * The product of an earlier run, or its best artifact.
 *
 * @throws TroupeError `call_invalid` when it has none.
 */
export function productOf(run: string, store: RunStore): ArtifactRef {
  const ended = store.events(run).findLast((event) => event.kind === "run.ended");
  if (ended?.outcome.artifact === undefined)
    throw new TroupeError("call_invalid", `Run ${run} has no product to go on from. See \`troupe show ${run}\`.`);
  return ended.outcome.artifact;
}

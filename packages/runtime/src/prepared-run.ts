import { createAgentRunner } from "@troupe/agents";
import { createDirector } from "@troupe/directors";
import { type EngineRun, executeRun, resumeRun } from "@troupe/engine";
import { type ArtifactRef, type EventOf, type Limits, type RunStore, topologyBundle, TroupeError } from "@troupe/schema";
import { bundleTopology, type CompiledTopology } from "@troupe/topology";
import type { Ports } from "./ports.ts";

/** The parts that every session of a run needs, new or resumed. */
function engineParts(graph: CompiledTopology, ports: Ports) {
  return {
    director: createDirector(graph),
    store: ports.store,
    models: ports.models,
    runners: { act: createAgentRunner({ sandbox: ports.sandbox }) },
  };
}

/** Starts the first session of a run. */
export function startEngine(
  header: Omit<EventOf<"run.started">, "seq" | "at">,
  graph: CompiledTopology,
  ports: Ports,
  signal: AbortSignal,
): EngineRun {
  return executeRun({ run: header.run, header, ...engineParts(graph, ports), signal });
}

/** Starts a further session of a run, from its log alone. */
export function resumeEngine(run: string, limits: Limits, ports: Ports, signal: AbortSignal): EngineRun {
  const started = headerOf(run, ports.store);
  const stored = ports.store.get(started.bundle);
  if (stored.kind !== "json") throw new TroupeError("store_damaged", `The topology of run ${run} is not what it should be.`);
  const { graph } = bundleTopology(topologyBundle.parse(stored.value), { models: ports.modelNames });
  return resumeRun({ run, limits, ...engineParts(graph, ports), signal });
}

/** The `run.started` event of a run. */
export function headerOf(run: string, store: RunStore): EventOf<"run.started"> {
  const first = store.events(run)[0];
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

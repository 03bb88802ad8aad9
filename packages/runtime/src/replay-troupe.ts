import { createAgentRunner, createScoreRunner } from "@troupe/agents";
import { createDirector } from "@troupe/directors";
import { type ReplayedPart, replayRun } from "@troupe/engine";
import type { ArtifactRef, EventOf } from "@troupe/schema";
import { bundleTopology } from "@troupe/topology";
import type { Ports } from "./ports.ts";
import { refuseNewer } from "./refuse-newer.ts";
import { recordedTopology } from "./recorded-topology.ts";

/** Which run to replay, and in which world. */
export interface ReplayTroupeOptions {
  /** Name of the run, a unique beginning of it, or `last`. */
  readonly run: string;
  readonly ports: Pick<Ports, "store" | "models" | "sandbox">;
}

/**
 * Does a recorded run again, part by part, and says of each whether it came out the same, byte for byte. No model is asked: answers come
 * from the log. Programs run again in the sandbox, because the log keeps only a summary of what they printed. Nothing is written.
 *
 * @throws TroupeError `run_unknown`, `store_damaged`, and what the signal was aborted with.
 */
export async function* replayTroupe(
  { run, ports }: ReplayTroupeOptions,
  { signal = new AbortController().signal }: { signal?: AbortSignal } = {},
): AsyncGenerator<ReplayedPart> {
  const { store, models, sandbox } = ports;
  // As it was recorded: its models need not be declared any more.
  const director = (started: EventOf<"run.started">, bundle: ArtifactRef) =>
    createDirector(bundleTopology(recordedTopology(started.run, bundle, store)).graph);
  const runners = { act: createAgentRunner({ sandbox }), score: createScoreRunner({ sandbox }) };
  const name = store.resolve(run);
  refuseNewer(store.events(name, { limit: 1 }));
  yield* replayRun({ run: name, director, store, models, runners, signal });
}

import { foldLog, type RunState } from "@troupe/engine";
import { type Artifact, type ArtifactRef, type RunEvent, type RunStore, TroupeError } from "@troupe/schema";

/** A run as its log tells it. */
export interface ShownRun {
  readonly run: string;
  readonly events: readonly RunEvent[];
  readonly state: RunState;
  readonly read: (ref: ArtifactRef) => Artifact;
}

/**
 * Reads a run.
 *
 * @throws TroupeError `run_unknown`, `store_damaged`.
 */
export function readRun(store: RunStore, name: string): ShownRun {
  const run = store.resolve(name);
  const events = store.events(run);
  return { run, events, state: foldLog(events), read: (ref) => store.get(ref) };
}

/**
 * The artifact of an activation.
 *
 * @throws TroupeError `call_invalid` when there is no such activation, or it made none.
 */
export function artifactOf({ run, state, read }: ShownRun, id: number): Artifact {
  const row = state.rows[id];
  if (row === undefined)
    throw new TroupeError(
      "call_invalid",
      `Run ${run} has no activation ${id}; it has ${state.rows.length}, from 0 upwards. See \`troupe show ${run}\`.`,
    );
  if (row.output === undefined)
    throw new TroupeError("call_invalid", `Activation ${id} of run ${run} is ${row.state} and made no artifact.`);
  return read(row.output);
}

/**
 * The product of a run, or the best artifact so far; of a run without an end the last one that is no verdict.
 *
 * @throws TroupeError `call_invalid` when there is none.
 */
export function productOf({ run, state, read }: ShownRun): Artifact {
  const ref = state.outcome?.artifact ?? state.rows.findLast((row) => row.output !== undefined && row.output.kind !== "json")?.output;
  if (ref === undefined) throw new TroupeError("call_invalid", `Run ${run} has no product. See \`troupe show ${run}\`.`);
  return read(ref);
}

import { foldLog, type RunState } from "@troupe/engine";
import {
  type Artifact,
  type ArtifactRef,
  type Damaged,
  isTroupeError,
  type RunEvent,
  type RunHolder,
  type RunStore,
  systemClock,
  TroupeError,
} from "@troupe/schema";

/** A run as its log tells it. */
export interface ShownRun {
  readonly run: string;
  readonly events: readonly RunEvent[];
  readonly state: RunState;
  readonly read: (ref: ArtifactRef) => Artifact;
  /** Who works on it now. */
  readonly holder: RunHolder | undefined;
}

/**
 * Reads a run.
 *
 * @param damaged told of damage in place of an error, as long as the beginning of the log can be read.
 * @throws TroupeError `run_unknown`, `store_damaged`, `store_newer`.
 */
export function readRun(store: RunStore, name: string, damaged?: Damaged): ShownRun {
  const run = store.resolve(name, damaged);
  const events = readEvents(store, run, damaged);
  return { run, events, state: foldLog(events), read: (ref) => store.get(ref), holder: holderOf(store, run, damaged) };
}

/** Who works on a run now. @param damaged told in place of an error. */
export function holderOf(store: RunStore, run: string, damaged: Damaged | undefined): RunHolder | undefined {
  try {
    return store.holder(run, systemClock.now());
  } catch (thrown) {
    if (damaged === undefined || !isTroupeError(thrown, "store_damaged")) throw thrown;
    damaged(thrown);
    return undefined;
  }
}

function readEvents(store: RunStore, run: string, damaged: Damaged | undefined): RunEvent[] {
  if (damaged === undefined) return store.events(run);
  const told: TroupeError[] = [];
  const events = store.events(run, { damaged: (error) => void told.push(error) });
  const [first] = told;
  if (first !== undefined && events.length === 0) throw first;
  for (const error of told) damaged(error);
  return events;
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

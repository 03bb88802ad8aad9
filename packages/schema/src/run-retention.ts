import { TroupeError } from "./error.ts";

/** What a removal took out of a store. */
export interface RemovedRuns {
  readonly runs: number;
  readonly events: number;
  /** Artifacts that no other run uses. */
  readonly artifacts: number;
  /** What events and artifacts held. */
  readonly bytes: number;
}

/** The size of a store's file, in bytes, before and after it was compacted. */
export interface CompactedStore {
  readonly before: number;
  readonly after: number;
  /** Why it was left as it was; room that is free in it is used by later runs. */
  readonly left?: "in use" | "disk full";
}

/** The port to what is kept, and for how long. */
export interface RunRetention {
  /**
   * Removes runs with their logs, and the artifacts that no other run uses, all in one transaction. Their names stay known, so that who
   * asks for one is told what became of it.
   *
   * @param now milliseconds since 1970.
   * @param dryRun only counts.
   * @throws TroupeError `run_held` (with the run in `details`) when somebody works on one of them, `run_unknown`.
   */
  remove(runs: readonly string[], now: number, dryRun?: boolean): RemovedRuns;
  /** Gives free room back to the disk, unless somebody works on a run, who would have to wait for it. */
  compact(now: number): CompactedStore;
}

/** The error of who asks for a run that was pruned. @param at when, in milliseconds since 1970. */
export function runPruned(run: string, at: number): TroupeError {
  const day = Number.isFinite(at) && Math.abs(at) < 8.64e15 ? ` on ${new Date(at).toISOString().slice(0, 10)}` : "";
  return new TroupeError(
    "run_pruned",
    `Run ${run} was pruned${day}: its log and its artifacts are gone. List the runs with \`troupe runs\`.`,
    {
      details: { run, at },
    },
  );
}

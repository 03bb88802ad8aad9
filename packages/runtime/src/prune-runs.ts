import { type CompactedStore, isTroupeError, type RemovedRuns, type RunStore, type RunSummary, TroupeError } from "@troupe/schema";

/** Which runs stay; a run is pruned when everything that is given here lets it go. */
export interface PruneOptions {
  /** This many of the newest stay. */
  readonly keep?: number | undefined;
  /** Younger ones stay, in milliseconds since they were started. */
  readonly olderThan?: number | undefined;
  /** Only says what would happen. */
  readonly dryRun: boolean;
  /** Milliseconds since 1970. */
  readonly now: number;
}

/** A run that stays although it would have to go. */
export interface SparedRun {
  readonly run: string;
  /** Somebody works on it, or it was started within a day and has no end: perhaps by a version that gives no signs of life. */
  readonly why: "running" | "not ended";
}

/** What was pruned. */
export interface PruneReport {
  readonly pruned: readonly RunSummary[];
  readonly spared: readonly SparedRun[];
  readonly removed: RemovedRuns;
  /** Absent when nothing was removed. */
  readonly file: CompactedStore | undefined;
}

const dayMilliseconds = 24 * 60 * 60 * 1000;

/**
 * Removes old runs with their logs and all artifacts that no other run uses, and gives the room back to the disk. A run that somebody
 * works on always stays.
 *
 * @throws TroupeError `call_invalid` when nothing says which runs may go.
 */
export function pruneRuns(store: RunStore, options: PruneOptions): PruneReport {
  const { keep, olderThan, dryRun, now } = options;
  if (keep === undefined && olderThan === undefined) {
    throw new TroupeError(
      "call_invalid",
      "Say which runs may go: all but the newest (--keep 20), those of some age (--older-than 30d), or both.",
    );
  }
  const old = store.list(Number.MAX_SAFE_INTEGER).filter((run, index) => index >= (keep ?? 0) && now - run.startedAt >= (olderThan ?? 0));
  const spared = new Map(
    old.flatMap(({ run, outcome, startedAt }) => spare(store, { run, isEnded: outcome !== undefined, startedAt }, now)),
  );
  for (;;) {
    const pruned = old.filter(({ run }) => !spared.has(run));
    try {
      const removed = store.remove(
        pruned.map(({ run }) => run),
        now,
        dryRun,
      );
      const file = dryRun || pruned.length === 0 ? undefined : store.compact(now);
      return { pruned, spared: [...spared].map(([run, why]) => ({ run, why })), removed, file };
    } catch (thrown) {
      // Somebody has gone on with one of them just now.
      const run = isTroupeError(thrown, "run_held") ? thrown.details["run"] : undefined;
      if (typeof run !== "string" || spared.has(run)) throw thrown;
      spared.set(run, "running");
    }
  }
}

function spare(
  store: RunStore,
  { run, isEnded, startedAt }: { run: string; isEnded: boolean; startedAt: number },
  now: number,
): [string, SparedRun["why"]][] {
  if (store.holder(run, now) !== undefined) return [[run, "running"]];
  return isEnded || now - startedAt >= dayMilliseconds ? [] : [[run, "not ended"]];
}

import type { TroupeError } from "./error.ts";
import type { Artifact, ArtifactRef } from "./artifact.ts";
import type { EventBody, RunEvent } from "./event.ts";
import type { Outcome } from "./outcome.ts";
import type { RunLeases } from "./run-lease.ts";
import type { RunRetention } from "./run-retention.ts";
import type { Usage } from "./usage.ts";

/** A run in a list. */
export interface RunSummary {
  readonly run: string;
  readonly topology: string;
  /** The task's prompt, shortened. */
  readonly task: string;
  readonly startedAt: number;
  /** The last terminal event's outcome; absent while the run goes on or after a crash. */
  readonly outcome: Outcome["kind"] | undefined;
  readonly usage: Usage;
  readonly events: number;
}

/** What must be so for an append to be made; checked in its transaction. */
export interface AppendGuard {
  /** The sequence number that the first event must get; without it, whatever comes next. */
  readonly next?: number;
  /** The lease that must hold; without it, nobody is asked. */
  readonly lease?: string;
}

/** Which events of a log are read. */
export interface LogPart {
  /** Sequence number of the first one; default 0. */
  readonly from?: number;
  /** How many at most; default all. */
  readonly limit?: number;
  /** Told of damage in place of an error: what can be read up to there is returned. */
  readonly damaged?: Damaged;
}

/** Told of damage by who makes do with what can still be read. */
export type Damaged = (error: TroupeError) => void;

/** The port to runs and artifacts on disk. All methods are synchronous; every write is one immediate transaction. */
export interface RunStore extends RunLeases, RunRetention {
  /**
   * Appends events to a run's log in one transaction; the first append must begin with `run.started`.
   * Either all of them are committed or none.
   *
   * @returns the events with their sequence numbers.
   * @throws TroupeError `run_lost` when another session has the run; `store_locked`, also when somebody else has written to this log
   *   since; `disk_full`, `store_damaged`.
   */
  append(run: string, bodies: readonly EventBody[], at: number, guard?: AppendGuard): RunEvent[];
  /**
   * The log of a run in order, or a part of it.
   *
   * @throws TroupeError `store_damaged` when it can't be read, `store_newer` when it says what this version does not know.
   */
  events(run: string, part?: LogPart): RunEvent[];
  /**
   * The run that a name stands for: the whole name, a unique beginning of it, or `last`.
   *
   * @param damaged told of damage in place of an error; the name is looked for among the runs that can still be read.
   * @throws TroupeError `run_unknown`, `run_pruned`.
   */
  resolve(name: string, damaged?: Damaged): string;
  /** The newest runs first. @param damaged told of damage in place of an error; those that can still be read are returned. */
  list(limit: number, damaged?: Damaged): RunSummary[];
  /** Stores an artifact once, by the SHA-256 of its canonical JSON. */
  put(artifact: Artifact): ArtifactRef;
  /** @throws TroupeError `store_damaged` when it is not there. */
  get(ref: Pick<ArtifactRef, "hash">): Artifact;
  close(): void;
}

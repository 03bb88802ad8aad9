import { TroupeError } from "./error.ts";

/** Milliseconds for which a run is held after the last sign of life of whoever works on it; it gives one each third of them. */
export const leaseMilliseconds = 30_000;

/** Who works on a run. */
export interface RunHolder {
  /** Process id. */
  readonly pid: number;
  /** Name of the machine. */
  readonly host: string;
  /** When it took the run, in milliseconds since 1970. */
  readonly since: number;
  /** Until when it has the run without a further sign of life. */
  readonly until: number;
}

/**
 * The port to who works on which run. A lease belongs to one session of a run, and every append under it is checked against it in
 * the same transaction: whatever clocks do, a log has one writer at a time. Clocks only decide how soon a dead one is replaced.
 */
export interface RunLeases {
  /**
   * Takes a run for one session; the run need not be there yet. A holder that is gone, or has given no sign of life for
   * {@link leaseMilliseconds}, loses it.
   *
   * @param now milliseconds since 1970.
   * @returns the lease's name.
   * @throws TroupeError `run_held` while somebody else has it, with who and since when.
   */
  acquire(run: string, now: number): string;
  /**
   * A sign of life. A lease that ran out and that nobody took goes on, so a laptop that slept does not lose its runs.
   *
   * @throws TroupeError `run_lost` when another session has taken the run.
   */
  renew(run: string, lease: string, now: number): void;
  /** Lets a run go; nothing happens when it was lost. */
  release(run: string, lease: string): void;
  /** Who works on a run now. */
  holder(run: string, now: number): RunHolder | undefined;
}

/** Until when a lease lasts after a sign of life: never shorter than it did, so that a clock that jumps back shortens none. */
export function leaseUntil(now: number, before = Number.NEGATIVE_INFINITY): number {
  return Math.max(before, now + leaseMilliseconds);
}

/** The error of who wants a run that somebody else works on. */
export function runHeld(run: string, { pid, host, since, until }: RunHolder): TroupeError {
  const who = `Process ${pid} on ${host} has been working on run ${run} since ${moment(since)}`;
  const message = `${who}, so nothing else can go on with it. Wait for its end, or stop it; without a sign of life it loses the run at ${moment(until)}.`;
  return new TroupeError("run_held", message, { details: { run, pid, host, since, until } });
}

/** The error of who has lost a run. @param by who has it now; undefined: it was let go again. */
export function runLost(run: string, by: RunHolder | undefined): TroupeError {
  const who = by === undefined ? "another process" : `process ${by.pid} on ${by.host} at ${moment(by.since)}`;
  const message = `Run ${run} was taken over by ${who} after this process had given no sign of life for a while. This one stops and writes nothing more.`;
  return new TroupeError("run_lost", message, { details: { run } });
}

function moment(at: number): string {
  const shown = new Date(at);
  return Number.isNaN(shown.getTime()) ? "an unknown time" : `${shown.toISOString().slice(0, 19).replace("T", " ")} UTC`;
}

import { type Clock, TroupeError } from "@troupe/schema";

/** How a lock is waited for. */
export interface LockOptions {
  readonly signal: AbortSignal;
  readonly clock: Clock;
  /** Told once when another process holds the lock. */
  readonly onWait: () => void;
}

/** A process that dies leaves its lock behind; after this time without a sign of life the next one takes it over. */
const staleMs = 15_000;
const pollMs = 500;

/**
 * Does the work while no other process on this machine does the same for this file.
 *
 * @param work gets a signal that is also aborted when the lock is lost (a machine that slept for long, a removed folder).
 */
export async function withFileLock<T>(target: string, options: LockOptions, work: (signal: AbortSignal) => Promise<T>): Promise<T> {
  const lost = new AbortController();
  const release = await takeLock(target, options, (error) => lost.abort(lostLock(target, error)));
  try {
    return await work(AbortSignal.any([options.signal, lost.signal]));
  } finally {
    // A lost lock is somebody else's: there is nothing to release.
    await release().catch(() => undefined);
  }
}

async function takeLock(target: string, options: LockOptions, onCompromised: (error: Error) => void): Promise<() => Promise<void>> {
  const { lock } = await import("proper-lockfile");
  for (let waits = 0; ; waits++) {
    options.signal.throwIfAborted();
    try {
      return await lock(target, { realpath: false, stale: staleMs, update: staleMs / 3, onCompromised });
    } catch (error) {
      if (!(error instanceof Error && "code" in error && error.code === "ELOCKED")) throw error;
    }
    if (waits === 0) options.onWait();
    await options.clock.sleep(pollMs, options.signal);
  }
}

function lostLock(target: string, cause: Error): TroupeError {
  const message = `The lock of ${target} was lost (${cause.message}); perhaps another process fetches it now. Pull again.`;
  return new TroupeError("model_download_failed", message, { cause, details: { target } });
}

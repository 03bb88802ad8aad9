import type { Clock } from "@troupe/schema";

/** A running watch; see {@link watchIdle}. */
export interface IdleWatch {
  /** Something happened: the time starts anew. */
  touch(): void;
  /** Ends the watch and its timer. */
  stop(): void;
}

/**
 * Calls back once when nothing was touched for the given time.
 *
 * One timer serves any number of touches, so that a touch per token costs nothing.
 */
export function watchIdle(clock: Clock, milliseconds: number, onIdle: () => void): IdleWatch {
  const stopped = new AbortController();
  let last = clock.now();
  const watch = async () => {
    for (let left = milliseconds; left > 0; left = last + milliseconds - clock.now()) {
      await clock.sleep(left, stopped.signal);
      // When the clock jumps back, the time starts anew instead of lasting until the clock has caught up.
      last = Math.min(last, clock.now());
    }
    if (!stopped.signal.aborted) onIdle();
  };
  // The only failure is the stop itself.
  watch().catch(() => undefined);
  return {
    touch: () => {
      last = clock.now();
    },
    stop: () => stopped.abort(),
  };
}

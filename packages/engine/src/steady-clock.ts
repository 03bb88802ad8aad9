import type { Clock } from "@troupe/schema";

/** Timers wake a little early or late; only what is longer is a jump. */
const jumpMilliseconds = 1000;

/**
 * A clock that never goes back: when the other one does, it goes on from where it was. A sleep counts with its whole length, so that
 * a jump in the middle of one makes nobody sleep it twice. Between a jump and the end of the sleep in which it was, its time can be
 * behind by up to the length of that sleep.
 *
 * @param startsAt its time when it is made, unless the other clock is later already.
 */
export function createSteadyClock(clock: Clock, startsAt: number): Clock {
  let last = clock.now();
  let ahead = Math.max(0, startsAt - last);
  const now = (): number => {
    const next = clock.now();
    if (next < last) ahead += last - next;
    last = next;
    return next + ahead;
  };
  return {
    now,
    sleep: async (milliseconds, signal) => {
      const wakesAt = now() + milliseconds;
      await clock.sleep(milliseconds, signal);
      const missing = wakesAt - now();
      if (missing > jumpMilliseconds) ahead += missing;
    },
  };
}

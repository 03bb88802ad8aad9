import { createRandom, type TroupeError } from "@troupe/schema";

const baseSeconds = 0.5;
const capSeconds = 30;
/** A server that asks for more than this gets tried earlier. */
const longestWaitSeconds = 3600;

/** What a delay depends on. */
export interface RetryPlace {
  readonly seed: number;
  readonly activation: number;
  /** The attempt that failed. */
  readonly attempt: number;
  /** Attempts that failed before this one. */
  readonly failures: number;
}

/**
 * Seconds until the next attempt: 0.5, 1, 2 … 30, each shortened by up to a half so that attempts spread out.
 * What the other side asked for (`retryAfterSeconds`) wins. The same place always gives the same delay.
 */
export function retryDelaySeconds(error: TroupeError, place: RetryPlace): number {
  const asked = error.retryAfterSeconds;
  if (asked !== undefined && asked >= 0) return Math.min(asked, longestWaitSeconds);
  const full = Math.min(capSeconds, baseSeconds * 2 ** place.failures);
  return full * (0.5 + 0.5 * createRandom(place.seed, `retry/${place.activation}/${place.attempt}`).next());
}

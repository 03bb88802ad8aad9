import type { Clock } from "@troupe/schema";

/** Timers of Node overflow beyond this. */
const longestSleep = 2 ** 31 - 1;

/** What came of work that had only so much time. */
export type InTime<Value> = { readonly inTime: true; readonly value: Value } | { readonly inTime: false };

/**
 * Does some work within a time, also work that ignores its signal. The signal that the work gets is aborted in any case at the end.
 *
 * @param seconds undefined: for ever.
 * @throws what the work throws, or the signal's reason as soon as it is aborted.
 */
export async function withinTime<Value>(
  seconds: number | undefined,
  { clock, signal }: { readonly clock: Clock; readonly signal: AbortSignal },
  work: (signal: AbortSignal) => Promise<Value>,
): Promise<InTime<Value>> {
  signal.throwIfAborted();
  const over = new AbortController();
  const stop = (): void => over.abort(signal.reason);
  signal.addEventListener("abort", stop, { once: true });
  const stopped = new Promise<never>((_, reject) => {
    over.signal.addEventListener("abort", () => reject(over.signal.reason), { once: true });
  });
  const late = seconds === undefined ? stopped : sleepLong(clock, seconds * 1000, over.signal).then(() => ({ inTime: false }) as const);
  const worked = work(over.signal).then((value) => ({ inTime: true, value }) as const);
  // Whoever comes second in the race has nobody to hear of its end.
  for (const one of [stopped, late, worked]) one.catch(() => undefined);
  try {
    return await Promise.race([worked, late, stopped]);
  } finally {
    signal.removeEventListener("abort", stop);
    over.abort(new DOMException("The time is over, or the work is done.", "AbortError"));
  }
}

async function sleepLong(clock: Clock, milliseconds: number, signal: AbortSignal): Promise<void> {
  for (let left = milliseconds; left > 0; left -= longestSleep) await clock.sleep(Math.min(left, longestSleep), signal);
}

import type { Clock } from "@troupe/schema";

/** Calls work again and again until the answer is called; a pass begins only after the one before. */
export function startTicker(clock: Clock, milliseconds: number, work: () => void): () => void {
  const stop = new AbortController();
  const loop = async (): Promise<void> => {
    while (!stop.signal.aborted) {
      await clock.sleep(milliseconds, stop.signal);
      work();
    }
  };
  // The only end is the abort of the sleep.
  void loop().catch((thrown: unknown) => {
    if (!stop.signal.aborted) throw thrown;
  });
  return () => stop.abort();
}

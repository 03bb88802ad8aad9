/** Time as the program sees it, so that tests can make their own. */
export interface Clock {
  /** Milliseconds since 1970. */
  now(): number;
  /** Resolves after the milliseconds, or rejects with the signal's reason as soon as it is aborted; leaves no timer or listener behind. */
  sleep(milliseconds: number, signal: AbortSignal): Promise<void>;
}

/** The machine's clock. */
export const systemClock: Clock = {
  now: () => Date.now(),
  sleep: (milliseconds, signal) =>
    new Promise((resolve, reject) => {
      if (signal.aborted) return reject(signal.reason);
      const done = () => {
        signal.removeEventListener("abort", stop);
        resolve();
      };
      const timer = setTimeout(done, milliseconds);
      const stop = () => {
        clearTimeout(timer);
        reject(signal.reason);
      };
      signal.addEventListener("abort", stop, { once: true });
    }),
};

/**
 * Waits for a promise, but no longer than the signal allows; leaves no listener behind.
 *
 * @throws the signal's reason as soon as it is aborted, also when the promise never settles.
 */
export function untilAborted<T>(promise: Promise<T>, signal: AbortSignal): Promise<T> {
  return new Promise((resolve, reject) => {
    const stop = () => reject(signal.reason);
    if (signal.aborted) {
      // The promise may still fail later; nobody else would hear of it.
      promise.catch(() => undefined);
      return stop();
    }
    signal.addEventListener("abort", stop, { once: true });
    promise.then(resolve, reject).finally(() => signal.removeEventListener("abort", stop));
  });
}

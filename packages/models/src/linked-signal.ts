/** A signal that is aborted with any of several; see {@link linkSignals}. */
export interface LinkedSignal {
  readonly signal: AbortSignal;
  /** Takes the listeners off again. */
  release(): void;
}

/** Joins signals: the result is aborted, with the same reason, as soon as one of them is. Release it when the work is done. */
export function linkSignals(...signals: readonly AbortSignal[]): LinkedSignal {
  const controller = new AbortController();
  const stop = () => controller.abort(signals.find((signal) => signal.aborted)?.reason);
  for (const signal of signals) signal.addEventListener("abort", stop, { once: true });
  if (signals.some((signal) => signal.aborted)) stop();
  return {
    signal: controller.signal,
    release: () => {
      for (const signal of signals) signal.removeEventListener("abort", stop);
    },
  };
}

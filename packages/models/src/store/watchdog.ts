/** A signal that is aborted when nothing happens for too long. */
export interface Watchdog {
  /** Aborted with the outer signal's reason, or with the error of {@link createWatchdog}. */
  readonly signal: AbortSignal;
  /** Something happened: begin to wait anew, for this many milliseconds. */
  touch(milliseconds: number): void;
  /** Ends it; no timer or listener stays. */
  stop(): void;
}

/** Makes a watchdog; nothing is timed before the first `touch`. */
export function createWatchdog(outer: AbortSignal, expired: (milliseconds: number) => Error): Watchdog {
  const controller = new AbortController();
  const follow = () => controller.abort(outer.reason);
  let timer: NodeJS.Timeout | undefined;
  if (outer.aborted) follow();
  else outer.addEventListener("abort", follow, { once: true });
  return {
    signal: controller.signal,
    touch(milliseconds) {
      clearTimeout(timer);
      timer = setTimeout(() => controller.abort(expired(milliseconds)), milliseconds);
    },
    stop() {
      clearTimeout(timer);
      outer.removeEventListener("abort", follow);
    },
  };
}

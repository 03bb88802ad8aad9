import type { Clock } from "@troupe/schema";
import { type FailedCall, toEndpointError } from "./endpoint-error.ts";
import { watchIdle } from "./idle-watch.ts";
import { untilAborted } from "./until-aborted.ts";

/** What a call may use while it runs. */
export interface CallGuard {
  /** Ends the HTTP request: when the caller aborts, and when nothing came for too long. */
  readonly signal: AbortSignal;
  /** Something of the answer came: the time of silence starts anew. */
  touch(): void;
  /** The answer has begun. */
  began(): void;
}

/** How a call is guarded. */
export interface GuardOptions extends Omit<FailedCall, "began"> {
  readonly signal: AbortSignal;
  readonly clock: Clock;
  readonly idleMs: number;
  /** The error of a call that was silent for too long. */
  readonly silence: () => Error;
}

/**
 * Makes one call to an endpoint: it ends when the caller aborts or the endpoint falls silent, whatever the library does, and leaves no
 * listener, timer or connection behind.
 *
 * @throws TroupeError with a `model_…` code, or the signal's reason when aborted.
 */
export async function guardCall<T>(options: GuardOptions, call: (guard: CallGuard) => Promise<T>): Promise<T> {
  const { signal, clock, idleMs, silence } = options;
  // A controller of its own for each call: the library leaves listeners on the signal that it is given.
  const http = new AbortController();
  const stop = () => http.abort();
  signal.addEventListener("abort", stop, { once: true });
  const idle = watchIdle(clock, idleMs, () => http.abort(silence()));
  let began = false;
  const guard: CallGuard = {
    signal: http.signal,
    touch: () => idle.touch(),
    began: () => {
      began = true;
    },
  };
  try {
    return await untilAborted(call(guard), http.signal);
  } catch (thrown) {
    signal.throwIfAborted();
    if (http.signal.aborted) throw http.signal.reason;
    throw toEndpointError(thrown, { ...options, began });
  } finally {
    idle.stop();
    signal.removeEventListener("abort", stop);
    http.abort();
  }
}

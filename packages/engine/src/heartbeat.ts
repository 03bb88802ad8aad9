import { type Clock, isTroupeError, leaseMilliseconds, type RunLeases, type TroupeError } from "@troupe/schema";
import type { Alarms } from "./alarms.ts";

/** What a {@link Heartbeat} is made of. */
export interface HeartbeatParts {
  readonly run: string;
  readonly lease: string;
  readonly store: RunLeases;
  readonly clock: Clock;
  readonly alarms: Alarms;
  /** Another session has taken the run; told once. */
  readonly lost: (error: TroupeError) => void;
}

/** Keeps a session's lease: gives a sign of life three times as often as it must. */
export class Heartbeat {
  readonly #parts: HeartbeatParts;

  constructor(parts: HeartbeatParts) {
    this.#parts = parts;
  }

  start(): void {
    this.#parts.alarms.after(leaseMilliseconds / 3, () => this.#beat());
  }

  /** Lets the run go; where that can't be written, the lease runs out by itself. */
  end(): void {
    const { store, run, lease } = this.#parts;
    try {
      store.release(run, lease);
    } catch {
      // The run has ended, and the log says how.
    }
  }

  #beat(): void {
    const { store, run, lease, clock, lost } = this.#parts;
    try {
      store.renew(run, lease, clock.now());
    } catch (thrown) {
      if (isTroupeError(thrown, "run_lost")) {
        lost(thrown);
        return;
      }
      // A busy or full disk is for the next append to report; the next beat tries again.
    }
    this.start();
  }
}

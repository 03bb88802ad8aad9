import type { Clock } from "@troupe/schema";
import type { Alarms } from "./alarms.ts";
import type { Exhaustion } from "./budget-scope.ts";
import type { RunState } from "./run-state.ts";

/** What a {@link TimeLimit} is made of. */
export interface TimeLimitParts {
  readonly state: Pick<RunState, "suspendedSince" | "elapsedSeconds">;
  readonly alarms: Alarms;
  readonly clock: Clock;
  /** Seconds over all sessions; undefined: for ever. */
  readonly allowed: number | undefined;
  /** The time is over; told once. */
  readonly exhausted: (what: Exhaustion) => void;
}

/** The run's limit on time. While the run is suspended its time stands still: a person's pause must not end it. */
export class TimeLimit {
  readonly #parts: TimeLimitParts;
  #armed = false;

  constructor(parts: TimeLimitParts) {
    this.#parts = parts;
  }

  /** Sees to it that the limit is kept; to be called whenever the state has changed. */
  check(): void {
    const { state, alarms, clock, allowed, exhausted } = this.#parts;
    if (this.#armed || allowed === undefined || state.suspendedSince !== undefined) return;
    const now = clock.now();
    const used = state.elapsedSeconds(now);
    const milliseconds = Math.round((allowed - used) * 1000);
    if (milliseconds <= 0) {
      this.#armed = true;
      exhausted({ limit: "seconds", allowed, used });
      return;
    }
    this.#armed = true;
    alarms.set(now + milliseconds, () => {
      this.#armed = false;
      this.check();
    });
  }
}

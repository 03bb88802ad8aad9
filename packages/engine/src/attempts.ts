import { type Artifact, type Clock, TroupeError } from "@troupe/schema";
import type { Alarms } from "./alarms.ts";

/** Why an attempt was stopped from outside. */
export type StopCause = "cancelled" | "timeout" | "ending";

/** One try at an activation, while it runs. */
export class Attempt {
  readonly activation: number;
  /** From 1. */
  readonly number: number;
  /** Milliseconds since 1970. */
  readonly startedAt: number;
  /** Model calls so far. */
  calls = 0;
  ended = false;
  stopped: TroupeError | undefined;
  #controller: AbortController | undefined;

  constructor(activation: number, number: number, startedAt: number) {
    this.activation = activation;
    this.number = number;
    this.startedAt = startedAt;
  }

  /** Made when first asked for: most of an engine's cost per activation would be signals that nobody looks at. */
  get signal(): AbortSignal {
    this.#controller ??= new AbortController();
    if (this.stopped !== undefined && !this.#controller.signal.aborted) this.#controller.abort(this.stopped);
    return this.#controller.signal;
  }

  stop(reason: TroupeError): void {
    this.stopped = reason;
    this.#controller?.abort(reason);
  }

  /** @throws TroupeError once the attempt was stopped or has ended. */
  throwIfOver(): void {
    if (this.stopped !== undefined) throw this.stopped;
    if (this.ended) throw new TroupeError("cancelled", `Activation ${this.activation} has ended; it can't call a model any more.`);
  }
}

/** How attempts end. */
export interface AttemptEnds {
  /** In any way; told first. */
  ended(attempt: Attempt): void;
  done(attempt: Attempt, artifact: Artifact): void;
  failed(attempt: Attempt, thrown: unknown): void;
  /** It was stopped from outside, and has ended or was given up. */
  stopped(attempt: Attempt, cause: StopCause): void;
}

/** What {@link Attempts} is made of. */
export interface AttemptsOptions {
  readonly clock: Clock;
  readonly alarms: Alarms;
  /** Seconds one attempt may take. */
  readonly seconds: number;
  readonly ends: AttemptEnds;
}

/** Milliseconds that a stopped runner has to end; then its attempt is given up and whatever it still does is ignored. */
export const graceMilliseconds = 5000;

/** The attempts that run now, each with a signal of its own and one shared time limit. */
export class Attempts {
  readonly #options: AttemptsOptions;
  /** In the order of beginning, so the oldest comes first: all have the same time limit. */
  readonly #running = new Map<number, Attempt>();
  readonly #causes = new Map<Attempt, StopCause>();
  #watching = false;
  #emptied: (() => void) | undefined;

  constructor(options: AttemptsOptions) {
    this.#options = options;
  }

  get size(): number {
    return this.#running.size;
  }

  start(attempt: Attempt, work: () => Promise<Artifact>): void {
    this.#running.set(attempt.activation, attempt);
    if (!this.#watching) this.#watch(attempt);
    let promise: Promise<Artifact>;
    try {
      promise = work();
    } catch (thrown) {
      promise = Promise.reject(thrown);
    }
    promise.then(
      (artifact) => {
        if (this.#end(attempt)) this.#options.ends.done(attempt, artifact);
      },
      (thrown: unknown) => {
        if (this.#end(attempt)) this.#options.ends.failed(attempt, thrown);
      },
    );
  }

  /** Stops the attempt of an activation; false when none runs. */
  stop(activation: number, cause: StopCause): boolean {
    const attempt = this.#running.get(activation);
    if (attempt === undefined) return false;
    this.#stop([attempt], cause);
    return true;
  }

  /** Stops everything. Resolves to the activations that did not end in time and were given up. */
  async stopAll(): Promise<number[]> {
    if (this.#running.size === 0) return [];
    const emptied = new Promise<void>((resolve) => {
      this.#emptied = resolve;
    });
    const givenUp = this.#stop([...this.#running.values()], "ending");
    await emptied;
    return givenUp;
  }

  #stop(attempts: readonly Attempt[], cause: StopCause): number[] {
    const { alarms } = this.#options;
    const givenUp: number[] = [];
    for (const attempt of attempts) {
      this.#causes.set(attempt, cause);
      if (attempt.stopped === undefined) attempt.stop(reasonOf(cause, attempt.activation));
    }
    alarms.after(graceMilliseconds, () => {
      for (const attempt of attempts) {
        if (!attempt.ended) givenUp.push(attempt.activation);
        this.#end(attempt);
      }
    });
    return givenUp;
  }

  /** Whether the attempt has ended by itself just now. */
  #end(attempt: Attempt): boolean {
    if (attempt.ended) return false;
    attempt.ended = true;
    this.#running.delete(attempt.activation);
    this.#options.ends.ended(attempt);
    const cause = attempt.stopped === undefined ? undefined : this.#causes.get(attempt);
    if (cause !== undefined) {
      this.#causes.delete(attempt);
      this.#options.ends.stopped(attempt, cause);
    }
    if (this.#running.size === 0) this.#emptied?.();
    return cause === undefined;
  }

  #watch(oldest: Attempt): void {
    const { alarms, seconds } = this.#options;
    this.#watching = true;
    alarms.set(oldest.startedAt + seconds * 1000, () => this.#expire());
  }

  #expire(): void {
    const { clock, seconds } = this.#options;
    this.#watching = false;
    const late: Attempt[] = [];
    for (const attempt of this.#running.values()) {
      if (attempt.stopped !== undefined) continue;
      if (attempt.startedAt + seconds * 1000 > clock.now()) {
        this.#watch(attempt);
        break;
      }
      late.push(attempt);
    }
    if (late.length > 0) this.#stop(late, "timeout");
  }
}

function reasonOf(cause: StopCause, activation: number): TroupeError {
  switch (cause) {
    case "timeout":
      return new TroupeError(
        "activation_timeout",
        `Activation ${activation} took longer than limits.activationSeconds allows. Raise it, or use a smaller model.`,
      );
    case "cancelled":
      return new TroupeError("cancelled", `The director cancelled activation ${activation}.`);
    case "ending":
      return new TroupeError("cancelled", `The run ended while activation ${activation} was running.`);
  }
}

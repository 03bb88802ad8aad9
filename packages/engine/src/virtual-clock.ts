import { setImmediate } from "node:timers/promises";
import type { Clock } from "@troupe/schema";
import { ReadyQueue } from "./ready-queue.ts";

/** A clock for tests: time stands still until it is told to move. */
export interface VirtualClock extends Clock {
  /** How many sleep now. */
  readonly sleepers: number;
  /** Moves from sleeper to sleeper, each time letting everything happen that can, until the promise settles. */
  runUntil<T>(promise: Promise<T>): Promise<T>;
  /** Moves on by the milliseconds in the same way. */
  advance(milliseconds: number): Promise<void>;
}

/**
 * Makes a clock for tests of whatever takes a {@link Clock}.
 *
 * @param startsAt milliseconds since 1970.
 * @example
 * const clock = createVirtualClock();
 * const run = executeRun({ ...options, clock });
 * const { seconds } = await clock.runUntil(run.result);
 */
export function createVirtualClock(startsAt = 0): VirtualClock {
  return new SteppedClock(startsAt);
}

interface Sleeper {
  readonly at: number;
  readonly wake: () => void;
}

/** Turns of the event loop after which nothing can happen any more without the clock. */
const quietTurns = 4;

class SteppedClock implements VirtualClock {
  readonly #sleepers = new Map<number, Sleeper>();
  readonly #order = new ReadyQueue();
  #now: number;
  #count = 0;

  constructor(startsAt: number) {
    this.#now = startsAt;
  }

  get sleepers(): number {
    return this.#sleepers.size;
  }

  now(): number {
    return this.#now;
  }

  sleep(milliseconds: number, signal: AbortSignal): Promise<void> {
    return new Promise((resolve, reject) => {
      if (signal.aborted) return reject(signal.reason);
      const name = this.#count++;
      const at = this.#now + milliseconds;
      const stop = (): void => {
        this.#sleepers.delete(name);
        reject(signal.reason);
      };
      const wake = (): void => {
        signal.removeEventListener("abort", stop);
        resolve();
      };
      signal.addEventListener("abort", stop, { once: true });
      this.#sleepers.set(name, { at, wake });
      this.#order.push(name, -at);
    });
  }

  async advance(milliseconds: number): Promise<void> {
    const until = this.#now + milliseconds;
    do await settle();
    while (this.#wakeNext(until));
    this.#now = until;
  }

  async runUntil<T>(promise: Promise<T>): Promise<T> {
    const progress = { over: false };
    const watched = promise.finally(() => {
      progress.over = true;
    });
    watched.catch(() => undefined);
    // With nobody asleep, what happens next comes from outside the clock.
    do await settle();
    while (!progress.over && this.#wakeNext(Number.POSITIVE_INFINITY));
    return watched;
  }

  /** Whether anybody was woken, or had gone. */
  #wakeNext(until: number): boolean {
    const name = this.#order.peek();
    if (name === undefined) return false;
    const sleeper = this.#sleepers.get(name);
    if (sleeper !== undefined && sleeper.at > until) return false;
    this.#order.pop();
    if (sleeper === undefined) return true;
    this.#now = Math.max(this.#now, sleeper.at);
    this.#sleepers.delete(name);
    sleeper.wake();
    return true;
  }
}

async function settle(): Promise<void> {
  for (let turn = 0; turn < quietTurns; turn++) await setImmediate();
}

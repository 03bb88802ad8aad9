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

interface Sleeper {
  readonly at: number;
  readonly wake: () => void;
}

/** Turns of the event loop after which nothing can happen any more without the clock. */
const quietTurns = 4;

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
  const sleepers = new Map<number, Sleeper>();
  const order = new ReadyQueue();
  let now = startsAt;
  let count = 0;
  const wakeNext = (until: number): boolean => {
    const name = order.peek();
    const sleeper = name === undefined ? undefined : sleepers.get(name);
    if (sleeper !== undefined && sleeper.at > until) return false;
    order.pop();
    if (sleeper === undefined) return name !== undefined;
    now = Math.max(now, sleeper.at);
    sleepers.delete(name as number);
    sleeper.wake();
    return true;
  };
  const sleep: Clock["sleep"] = (milliseconds, signal) =>
    new Promise((resolve, reject) => {
      if (signal.aborted) return reject(signal.reason);
      const name = count++;
      const stop = (): void => {
        sleepers.delete(name);
        reject(signal.reason);
      };
      const wake = (): void => {
        signal.removeEventListener("abort", stop);
        resolve();
      };
      signal.addEventListener("abort", stop, { once: true });
      sleepers.set(name, { at: now + milliseconds, wake });
      order.push(name, -(now + milliseconds));
    });
  const settle = async (): Promise<void> => {
    for (let turn = 0; turn < quietTurns; turn++) await setImmediate();
  };
  return {
    now: () => now,
    sleep,
    get sleepers() {
      return sleepers.size;
    },
    runUntil: (promise) => runUntil(promise, settle, () => wakeNext(Number.POSITIVE_INFINITY)),
    advance: async (milliseconds) => {
      const until = now + milliseconds;
      do await settle();
      while (wakeNext(until));
      now = until;
    },
  };
}

async function runUntil<T>(promise: Promise<T>, settle: () => Promise<void>, wakeNext: () => boolean): Promise<T> {
  let over = false;
  const watched = promise.finally(() => {
    over = true;
  });
  watched.catch(() => undefined);
  for (;;) {
    await settle();
    // With nobody asleep, what happens next comes from outside the clock.
    if (over || !wakeNext()) break;
  }
  return watched;
}

import type { Clock } from "@troupe/schema";
import { ReadyQueue } from "./ready-queue.ts";

/** Timers of Node overflow beyond this. */
const longestSleep = 2 ** 31 - 1;

interface Alarm {
  readonly at: number;
  readonly ring: () => void;
}

/** Any number of alarms over one sleep of the clock, so that a run has one timer and one listener, however much waits. */
export class Alarms {
  readonly #clock: Clock;
  readonly #alarms = new Map<number, Alarm>();
  readonly #order = new ReadyQueue();
  #count = 0;
  #sleep: AbortController | undefined;
  #wakesAt = Number.POSITIVE_INFINITY;
  #closed = false;

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** Calls back at the given time (milliseconds since 1970), never before this call has returned. */
  set(at: number, ring: () => void): void {
    if (this.#closed || !Number.isFinite(at)) return;
    const name = this.#count++;
    this.#alarms.set(name, { at, ring });
    this.#order.push(name, -at);
    if (at < this.#wakesAt) this.#arm(at);
  }

  /** Calls back after the given time. */
  after(milliseconds: number, ring: () => void): void {
    this.set(this.#clock.now() + milliseconds, ring);
  }

  /** Forgets all alarms and leaves no timer behind. */
  close(): void {
    this.#closed = true;
    this.#alarms.clear();
    this.#sleep?.abort();
  }

  #arm(at: number): void {
    this.#sleep?.abort();
    const sleep = new AbortController();
    this.#sleep = sleep;
    this.#wakesAt = at;
    const wait = Math.min(longestSleep, Math.max(0, at - this.#clock.now()));
    this.#clock.sleep(wait, sleep.signal).then(
      () => this.#wake(sleep),
      () => undefined,
    );
  }

  #wake(sleep: AbortController): void {
    if (this.#sleep !== sleep || this.#closed) return;
    this.#sleep = undefined;
    this.#wakesAt = Number.POSITIVE_INFINITY;
    const now = this.#clock.now();
    for (let next = this.#next(); next !== undefined && next.at <= now; next = this.#next()) {
      this.#alarms.delete(this.#order.pop() as number);
      next.ring();
    }
    const next = this.#next();
    if (next !== undefined && next.at < this.#wakesAt) this.#arm(next.at);
  }

  #next(): Alarm | undefined {
    const name = this.#order.peek();
    return name === undefined ? undefined : this.#alarms.get(name);
  }
}

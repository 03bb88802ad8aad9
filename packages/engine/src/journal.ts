import {
  type Artifact,
  type ArtifactRef,
  type Clock,
  type EventBody,
  type RunEvent,
  type RunStore,
  TroupeError,
  toTroupeError,
} from "@troupe/schema";

/** Waits for one event to be in the log. */
interface Waiter {
  readonly committed: (event: RunEvent) => void;
  readonly lost: (error: TroupeError) => void;
}

/** What a {@link Journal} is made of. */
export interface JournalOptions {
  readonly run: string;
  /** The session's lease on the run: without it nothing is written. */
  readonly lease: string;
  readonly store: RunStore;
  readonly clock: Clock;
  /** The time of the newest event so far, in milliseconds since 1970. */
  readonly lastAt: number;
  /** Sequence number of the first event that comes. */
  readonly nextSeq: number;
  /** Told of each event, in order, once it is in the log. */
  readonly committed: (event: RunEvent) => void;
  /** Told after a whole batch. */
  readonly flushed: () => void;
  /** The log can't be written any more; told once. */
  readonly broke: (error: TroupeError) => void;
}

/** Microtasks would keep signals and timers waiting, so every so many batches the event loop gets its turn. */
const batchesPerTurn = 64;

/** The way into a run's log: gathers what happens in a tick into one append, and tells everybody only after it. */
export class Journal {
  readonly #options: JournalOptions;
  #pending: EventBody[] = [];
  /** By place in the pending batch; most events have none. */
  #waiters = new Map<number, Waiter>();
  #scheduled = false;
  #batches = 0;
  #lastAt: number;
  #nextSeq: number;
  #broken: TroupeError | undefined;
  #closed = false;

  constructor(options: JournalOptions) {
    this.#options = options;
    this.#lastAt = options.lastAt;
    this.#nextSeq = options.nextSeq;
  }

  /** Sequence number of the next event. */
  get nextSeq(): number {
    return this.#nextSeq;
  }

  /** Whether nothing waits to be written. */
  get empty(): boolean {
    return this.#pending.length === 0;
  }

  /** Adds an event to the batch of this tick. */
  add(body: EventBody): void {
    if (this.#closed || this.#broken !== undefined) return;
    this.#pending.push(body);
    this.schedule();
  }

  /** The same; resolves once it is in the log. */
  commit(body: EventBody): Promise<RunEvent> {
    if (this.#broken !== undefined) return Promise.reject(this.#broken);
    if (this.#closed) return Promise.reject(new TroupeError("cancelled", `Run ${this.#options.run} has ended; its log is closed.`));
    return new Promise((committed, lost) => {
      this.#waiters.set(this.#pending.length, { committed, lost });
      this.add(body);
    });
  }

  /** Writes at once, ahead of what is pending; false when the log is broken. */
  write(bodies: readonly EventBody[]): boolean {
    const events = bodies.length === 0 ? [] : this.#append(bodies);
    if (events === undefined) return false;
    for (const event of events) this.#options.committed(event);
    return true;
  }

  /** Stores an artifact. @throws TroupeError; a store that can't keep artifacts ends the run like one that can't keep events. */
  put(artifact: Artifact): ArtifactRef {
    try {
      return this.#options.store.put(artifact);
    } catch (thrown) {
      throw this.#break(thrown);
    }
  }

  /** Makes sure that `flushed` is called soon. */
  schedule(): void {
    if (this.#scheduled) return;
    this.#scheduled = true;
    if (++this.#batches % batchesPerTurn === 0) setImmediate(() => this.#flush());
    else queueMicrotask(() => this.#flush());
  }

  /** Writes what is pending; later events are dropped. */
  close(): void {
    this.#writePending();
    this.#closed = true;
  }

  #flush(): void {
    this.#scheduled = false;
    if (this.#closed) return;
    this.#writePending();
    this.#options.flushed();
  }

  #writePending(): void {
    const batch = this.#pending;
    if (batch.length === 0) return;
    const waiters = this.#waiters;
    this.#pending = [];
    if (waiters.size > 0) this.#waiters = new Map();
    const events = this.#append(batch);
    if (events === undefined) {
      for (const waiter of waiters.values()) waiter.lost(this.#broken as TroupeError);
      return;
    }
    for (let i = 0; i < events.length; i++) {
      const event = events[i] as RunEvent;
      this.#options.committed(event);
      waiters.get(i)?.committed(event);
    }
  }

  #append(bodies: readonly EventBody[]): RunEvent[] | undefined {
    if (this.#broken !== undefined) return undefined;
    const { run, lease, store, clock } = this.#options;
    // A clock that jumps back must not make the log go back.
    this.#lastAt = Math.max(this.#lastAt, clock.now());
    try {
      const events = store.append(run, bodies, this.#lastAt, { next: this.#nextSeq, lease });
      this.#nextSeq = (events.at(-1)?.seq ?? -1) + 1;
      return events;
    } catch (thrown) {
      this.#break(thrown);
      return undefined;
    }
  }

  #break(thrown: unknown): TroupeError {
    if (this.#broken !== undefined) return this.#broken;
    this.#broken = toTroupeError(thrown);
    this.#options.broke(this.#broken);
    return this.#broken;
  }
}

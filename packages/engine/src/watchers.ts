import type { LiveDelta, RunEvent, WatchedEvent } from "@troupe/schema";

/** Characters of deltas that one watcher may leave unread; further ones are dropped, logged events never are. */
const unreadDeltaCharacters = 65_536;
/** What a delta costs besides its text. */
const deltaOverhead = 64;

/** The watchers of a run. Nobody has to watch, and a slow one holds nobody up. */
export class Watchers {
  readonly #watchers = new Set<Watcher>();
  readonly #earlier: () => readonly RunEvent[];
  #published = 0;
  #last: RunEvent | undefined;

  /** @param earlier this session's events so far, for watchers that come late. */
  constructor(earlier: () => readonly RunEvent[]) {
    this.#earlier = earlier;
  }

  publish(event: RunEvent): void {
    this.#published++;
    this.#last = event;
    for (const watcher of this.#watchers) watcher.push(event);
  }

  delta(delta: LiveDelta): void {
    for (const watcher of this.#watchers) watcher.delta(delta);
  }

  /** Every event of this session from its first to `run.ended`, whenever one starts to watch, and deltas as they come. */
  async *watch(): AsyncGenerator<WatchedEvent, void, undefined> {
    const watcher = new Watcher();
    for (const event of this.#missed()) watcher.push(event);
    this.#watchers.add(watcher);
    try {
      for (;;) {
        const next = watcher.take() ?? (await watcher.arrival());
        if (next === undefined) continue;
        yield next;
        if (next.kind === "run.ended") return;
      }
    } finally {
      this.#watchers.delete(watcher);
    }
  }

  #missed(): readonly RunEvent[] {
    if (this.#published === 0 || this.#last === undefined) return [];
    const events = this.#earlier();
    const ended = this.#last.kind === "run.ended" && events.at(-1)?.kind !== "run.ended";
    // The terminal event is missing in a log that could not be written any more.
    return ended ? [...events, this.#last] : events;
  }
}

class Watcher {
  #queue: WatchedEvent[] = [];
  #head = 0;
  #unread = 0;
  #wake: (() => void) | undefined;

  push(event: WatchedEvent): void {
    this.#queue.push(event);
    this.#wake?.();
  }

  delta(delta: LiveDelta): void {
    const last = this.#queue.at(-1);
    const merges = last?.kind === "call.delta" && last.activation === delta.activation && this.#queue.length > this.#head;
    const cost = delta.text.length + (merges ? 0 : deltaOverhead);
    if (this.#unread + cost > unreadDeltaCharacters) return;
    this.#unread += cost;
    if (merges) this.#queue[this.#queue.length - 1] = { ...delta, text: last.text + delta.text };
    else this.push(delta);
  }

  take(): WatchedEvent | undefined {
    const next = this.#queue[this.#head++];
    if (next?.kind === "call.delta") this.#unread -= next.text.length + deltaOverhead;
    if (this.#head >= this.#queue.length) {
      this.#queue = [];
      this.#head = 0;
    }
    return next;
  }

  async arrival(): Promise<undefined> {
    await new Promise<void>((resolve) => {
      this.#wake = resolve;
    });
    this.#wake = undefined;
    return undefined;
  }
}

interface Waiter {
  readonly enter: () => void;
}

/**
 * Lets at most so many in at once. Who has to wait is let in by turns: one of each owner after the other, and of one owner first come,
 * first served. So an owner that wants a thousand times holds nobody up for longer than one of its turns.
 */
export class FairGate {
  readonly #slots: number;
  /** Whose turn is next stands first. */
  readonly #waiting = new Map<string, Set<Waiter>>();
  #inside = 0;

  /** @param slots at least 1. */
  constructor(slots: number) {
    this.#slots = slots;
  }

  /** Does some work inside; rejects with the signal's reason when it is aborted before its turn. */
  async pass<Value>(owner: string, signal: AbortSignal, work: () => Promise<Value>): Promise<Value> {
    signal.throwIfAborted();
    if (this.#inside < this.#slots) this.#inside++;
    else await this.#wait(owner, signal);
    try {
      return await work();
    } finally {
      this.#leave();
    }
  }

  async #wait(owner: string, signal: AbortSignal): Promise<void> {
    const own = this.#waiting.get(owner) ?? new Set();
    this.#waiting.set(owner, own);
    let giveUp = (): void => undefined;
    try {
      await new Promise<void>((enter, reject) => {
        const waiter = { enter };
        giveUp = () => {
          own.delete(waiter);
          if (own.size === 0 && this.#waiting.get(owner) === own) this.#waiting.delete(owner);
          reject(signal.reason);
        };
        signal.addEventListener("abort", giveUp, { once: true });
        own.add(waiter);
      });
    } finally {
      signal.removeEventListener("abort", giveUp);
    }
  }

  /** Gives the place to whoever's turn it is; their owner's next turn comes after those of all others. */
  #leave(): void {
    for (const [owner, own] of this.#waiting) {
      this.#waiting.delete(owner);
      const [next] = own;
      if (next === undefined) continue;
      own.delete(next);
      if (own.size > 0) this.#waiting.set(owner, own);
      next.enter();
      return;
    }
    this.#inside--;
  }
}

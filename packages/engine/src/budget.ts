import type { Limits, Outcome, Usage } from "@troupe/schema";

/** What a call may cost at most. */
export interface Reservation {
  readonly tokens: number;
  readonly usd: number;
}

/** A limit that ends the run. */
export type Exhaustion = Omit<Extract<Outcome, { kind: "exhausted" }>, "kind" | "artifact">;

/** What a {@link Budget} is made of. */
export interface BudgetOptions {
  readonly limits: Limits;
  /** What settled calls have cost, over all sessions. */
  readonly usage: () => Usage;
  /** A call can't start, and none is in flight that could come out cheaper than reserved. */
  readonly exhausted: (what: Exhaustion) => void;
}

interface Waiter {
  readonly reservation: Reservation;
  readonly resolve: () => void;
  readonly reject: (reason: unknown) => void;
}

/**
 * The run's limits on tokens, money and calls. A call may start while what was used and what calls in flight have reserved
 * stay below each limit; otherwise it waits for calls in flight. So a run goes over a limit by at most one call per slot.
 */
export class Budget {
  readonly #options: BudgetOptions;
  readonly #waiters = new Set<Waiter>();
  #calls = 0;
  #tokens = 0;
  #usd = 0;
  #closed: unknown;

  constructor(options: BudgetOptions) {
    this.#options = options;
  }

  /** Resolves when the call may start; first come, first served. Every resolved one must be released. */
  async reserve(reservation: Reservation, signal: AbortSignal): Promise<void> {
    if (this.#closed !== undefined) throw this.#closed;
    signal.throwIfAborted();
    if (this.#waiters.size === 0 && this.#blocking() === undefined) this.#take(reservation);
    else await this.#wait(reservation, signal);
  }

  /** The call is settled, and its usage counts now. */
  release(reservation: Reservation): void {
    this.#calls--;
    // Sums of fractions drift, so an empty budget starts from nothing again.
    this.#tokens = this.#calls === 0 ? 0 : this.#tokens - reservation.tokens;
    this.#usd = this.#calls === 0 ? 0 : this.#usd - reservation.usd;
    this.#admit();
  }

  /** The run ends: whoever waits gets the reason. */
  close(reason: unknown): void {
    this.#closed ??= reason;
    for (const waiter of this.#waiters) waiter.reject(reason);
    this.#waiters.clear();
  }

  #take(reservation: Reservation): void {
    this.#calls++;
    this.#tokens += reservation.tokens;
    this.#usd += reservation.usd;
  }

  async #wait(reservation: Reservation, signal: AbortSignal): Promise<void> {
    let leave = (): void => undefined;
    try {
      await new Promise<void>((resolve, reject) => {
        const waiter: Waiter = { reservation, resolve, reject };
        leave = () => {
          this.#waiters.delete(waiter);
          reject(signal.reason);
        };
        signal.addEventListener("abort", leave, { once: true });
        this.#waiters.add(waiter);
        this.#admit();
      });
    } finally {
      signal.removeEventListener("abort", leave);
    }
  }

  #admit(): void {
    for (const waiter of this.#waiters) {
      const blocking = this.#blocking();
      if (blocking !== undefined) {
        if (this.#calls === 0) this.#options.exhausted(blocking);
        return;
      }
      this.#waiters.delete(waiter);
      this.#take(waiter.reservation);
      waiter.resolve();
    }
  }

  #blocking(): Exhaustion | undefined {
    const { limits, usage } = this.#options;
    const spent = usage();
    const tokens = spent.inputTokens + spent.outputTokens;
    const { calls, usd } = spent;
    if (limits.tokens !== undefined && tokens + this.#tokens >= limits.tokens)
      return { limit: "tokens", allowed: limits.tokens, used: tokens };
    if (limits.usd !== undefined && usd + this.#usd >= limits.usd) return { limit: "usd", allowed: limits.usd, used: usd };
    if (limits.calls !== undefined && calls + this.#calls >= limits.calls) return { limit: "calls", allowed: limits.calls, used: calls };
    return undefined;
  }
}

import type { Outcome, SpendingLimits, Usage } from "@troupe/schema";

/** What a call may cost at most. */
export interface Reservation {
  readonly tokens: number;
  readonly usd: number;
}

/** A limit that ends the run. */
export type Exhaustion = Omit<Extract<Outcome, { kind: "exhausted" }>, "kind" | "artifact">;

/** A call that waits until it may start. */
export interface BudgetWaiter {
  readonly reservation: Reservation;
  /** Every scope that the call counts for. */
  readonly scopes: readonly BudgetScope[];
  readonly resolve: () => void;
  readonly reject: (reason: unknown) => void;
  /** The scope that it waits for now. */
  parkedAt: BudgetScope | undefined;
}

/** What a {@link BudgetScope} is made of. */
export interface BudgetScopeParts {
  /** Whose limits these are; the words in an outcome, absent for the run's. */
  readonly of?: string;
  readonly limits: SpendingLimits;
  /** What settled calls have cost, over all sessions. */
  readonly usage: () => Usage;
  /** A call waits, and none is in flight that could come out cheaper than reserved. */
  readonly exhausted: (what: Exhaustion, waiter: BudgetWaiter) => void;
}

/** The limits of a run, an agent, a model or an activation: what its calls in flight have reserved, and who waits for them. */
export class BudgetScope {
  readonly #parts: BudgetScopeParts;
  /** First come, first served. */
  readonly waiting = new Set<BudgetWaiter>();
  #calls = 0;
  #tokens = 0;
  #usd = 0;

  constructor(parts: BudgetScopeParts) {
    this.#parts = parts;
  }

  take({ tokens, usd }: Reservation): void {
    this.#calls++;
    this.#tokens += tokens;
    this.#usd += usd;
  }

  giveBack({ tokens, usd }: Reservation): void {
    this.#calls--;
    // Sums of fractions drift, so an empty scope starts from nothing again.
    this.#tokens = this.#calls === 0 ? 0 : this.#tokens - tokens;
    this.#usd = this.#calls === 0 ? 0 : this.#usd - usd;
  }

  /** The limit that keeps a call from starting; what the call itself may cost doesn't matter. */
  blocking(): Exhaustion | undefined {
    const { limits, usage, of } = this.#parts;
    const spent = usage();
    const tokens = spent.inputTokens + spent.outputTokens;
    const { calls, usd } = spent;
    const whose = of === undefined ? {} : { of };
    if (limits.tokens !== undefined && tokens + this.#tokens >= limits.tokens)
      return { limit: "tokens", ...whose, allowed: limits.tokens, used: tokens };
    if (limits.usd !== undefined && usd + this.#usd >= limits.usd) return { limit: "usd", ...whose, allowed: limits.usd, used: usd };
    if (limits.calls !== undefined && calls + this.#calls >= limits.calls)
      return { limit: "calls", ...whose, allowed: limits.calls, used: calls };
    return undefined;
  }

  /** Lets a call wait for those in flight; when there are none, nothing will change any more. */
  park(waiter: BudgetWaiter, blocking: Exhaustion | undefined): void {
    // Who waits here already keeps its place.
    if (waiter.parkedAt !== this) {
      waiter.parkedAt?.waiting.delete(waiter);
      waiter.parkedAt = this;
      this.waiting.add(waiter);
    }
    if (blocking !== undefined && this.#calls === 0) this.#parts.exhausted(blocking, waiter);
  }
}

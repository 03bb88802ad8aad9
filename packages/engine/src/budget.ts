import { type Limits, noUsage, type SpendingLimits, TroupeError, type Usage } from "@troupe/schema";
import { BudgetScope, type BudgetWaiter, type Exhaustion, type Reservation } from "./budget-scope.ts";
import type { RunState } from "./run-state.ts";

/** Whose call it is. */
export interface CallOwner {
  readonly activation: number;
  /** The model's name in troupe.yaml. */
  readonly model: string;
}

/** What a {@link Budget} is made of. */
export interface BudgetOptions {
  readonly limits: Limits;
  /** What settled calls have cost, over all sessions, and for whom. */
  readonly state: Pick<RunState, "usage" | "usageByAgent" | "usageByModel" | "rows">;
  /** A call can't start, and none is in flight that could come out cheaper than reserved. */
  readonly exhausted: (what: Exhaustion) => void;
}

/**
 * The limits on tokens, money and calls: of the run, of each agent and model, and of each activation. A call may start while what was used and
 * what calls in flight have reserved stay below each limit that it counts for; otherwise it waits for calls in flight. So a limit is
 * exceeded by at most one call of each that is in flight.
 */
export class Budget {
  readonly #options: BudgetOptions;
  readonly #run: BudgetScope;
  readonly #agents: ReadonlyMap<string, BudgetScope>;
  readonly #models: ReadonlyMap<string, BudgetScope>;
  /** By id, from its first call until it settles. */
  readonly #activations = new Map<number, BudgetScope>();
  readonly #waiters = new Set<BudgetWaiter>();
  #closed: unknown;

  constructor(options: BudgetOptions) {
    const { limits, state, exhausted } = options;
    this.#options = options;
    this.#run = new BudgetScope({ limits, usage: () => state.usage, exhausted });
    const scopesOf = (kind: string, some: Readonly<Record<string, SpendingLimits>> = {}, used: ReadonlyMap<string, Usage>) =>
      new Map(
        Object.entries(some)
          .filter(([, { tokens, usd, calls }]) => (tokens ?? usd ?? calls) !== undefined)
          .map(([name, own]) => {
            const usage = () => used.get(name) ?? noUsage;
            return [name, new BudgetScope({ of: `${kind} ${name}`, limits: own, usage, exhausted })];
          }),
      );
    this.#agents = scopesOf("agent", limits.agents, state.usageByAgent);
    this.#models = scopesOf("model", limits.models, state.usageByModel);
  }

  /**
   * Resolves when the call may start, to what must be called once it is settled and its usage counts; first come, first served.
   *
   * @throws TroupeError `activation_exhausted` when its activation may call no more; what the signal or the budget was ended with.
   */
  async reserve(reservation: Reservation, owner: CallOwner, signal: AbortSignal): Promise<() => void> {
    if (this.#closed !== undefined) throw this.#closed;
    signal.throwIfAborted();
    const scopes = this.#scopesOf(owner);
    // Nobody waits and nothing blocks: as nearly always.
    if (scopes.every((scope) => scope.waiting.size === 0 && scope.blocking() === undefined))
      for (const scope of scopes) scope.take(reservation);
    else await this.#wait(reservation, scopes, signal);
    return () => this.#release(reservation, scopes);
  }

  /** An activation has settled. */
  forget(activation: number): void {
    this.#activations.delete(activation);
  }

  /** The run ends: whoever waits gets the reason. */
  close(reason: unknown): void {
    this.#closed ??= reason;
    for (const waiter of this.#waiters) this.#drop(waiter).reject(reason);
  }

  #release(reservation: Reservation, scopes: readonly BudgetScope[]): void {
    for (const scope of scopes) scope.giveBack(reservation);
    for (const scope of scopes) this.#admit(scope);
  }

  async #wait(reservation: Reservation, scopes: readonly BudgetScope[], signal: AbortSignal): Promise<void> {
    let leave = (): void => undefined;
    try {
      await new Promise<void>((resolve, reject) => {
        const waiter: BudgetWaiter = { reservation, scopes, resolve, reject, parkedAt: undefined };
        leave = () => this.#drop(waiter).reject(signal.reason);
        signal.addEventListener("abort", leave, { once: true });
        this.#waiters.add(waiter);
        this.#place(waiter);
      });
    } finally {
      signal.removeEventListener("abort", leave);
    }
  }

  /** Lets a waiting call start, or wait for the first scope in which it can't. */
  #place(waiter: BudgetWaiter): void {
    for (const scope of waiter.scopes) {
      // Whoever is first here waits for nobody before it.
      const isBehind = scope !== waiter.parkedAt && scope.waiting.size > 0;
      const blocking = scope.blocking();
      if (!isBehind && blocking === undefined) continue;
      scope.park(waiter, blocking);
      return;
    }
    for (const scope of waiter.scopes) scope.take(waiter.reservation);
    this.#drop(waiter).resolve();
  }

  /** Something was given back to a scope: those who wait there may start, or wait elsewhere, one after the other until it blocks. */
  #admit(scope: BudgetScope): void {
    for (const first of scope.waiting) {
      this.#place(first);
      if (first.parkedAt === scope) return;
    }
  }

  #drop(waiter: BudgetWaiter): BudgetWaiter {
    waiter.parkedAt?.waiting.delete(waiter);
    waiter.parkedAt = undefined;
    this.#waiters.delete(waiter);
    return waiter;
  }

  /** What a call counts for, the narrowest first: an activation that may call no more ends neither its agent's work nor the run. */
  #scopesOf({ activation, model }: CallOwner): BudgetScope[] {
    const agent = this.#options.state.rows[activation]?.activation.agent;
    const scopes = [this.#activationScope(activation), agent === undefined ? undefined : this.#agents.get(agent), this.#models.get(model)];
    return [...scopes.filter((scope) => scope !== undefined), this.#run];
  }

  #activationScope(id: number): BudgetScope | undefined {
    const { limits, state } = this.#options;
    const known = this.#activations.get(id);
    if (known !== undefined || limits.activation === undefined) return known;
    const scope = new BudgetScope({
      limits: limits.activation,
      usage: () => state.rows[id]?.usage ?? noUsage,
      exhausted: (what, waiter) => this.#drop(waiter).reject(activationExhausted(id, what)),
    });
    this.#activations.set(id, scope);
    return scope;
  }
}

function activationExhausted(id: number, { limit, used, allowed }: Exhaustion): TroupeError {
  const money = limit === "usd";
  return new TroupeError(
    "activation_exhausted",
    `Activation ${id} has used ${money ? "$" : ""}${used} of the ${money ? "$" : ""}${allowed}${money ? "" : ` ${limit}`} that limits.activation allows. Raise it, or give its agent less to do.`,
    { details: { activation: id, limit, used, allowed } },
  );
}

import { getEventListeners } from "node:events";
import { addUsage, type Limits, noUsage, type Usage } from "@troupe/schema";
import fc from "fast-check";
import { expect, test } from "vitest";
import type { ActivationRow } from "./activation-table.ts";
import { Budget, type BudgetOptions, type CallOwner } from "./budget.ts";
import type { Exhaustion } from "./budget-scope.ts";

const never = new AbortController().signal;
const owner: CallOwner = { activation: 0, model: "m" };

/** What has been spent, for whom; activation i is one of the agent that is named here. */
function spending(agents: readonly string[] = ["a"]) {
  const rows = agents.map((agent) => ({ activation: { agent }, usage: noUsage }));
  const state = { usage: noUsage, usageByAgent: new Map<string, Usage>(), usageByModel: new Map<string, Usage>() };
  return Object.assign(state, {
    rows: rows as unknown as readonly ActivationRow[],
    spend: ({ activation, model }: CallOwner, tokens: number, usd: number): void => {
      const usage: Usage = { ...noUsage, calls: 1, inputTokens: tokens, usd };
      const row = rows[activation] as { activation: { agent: string }; usage: Usage };
      row.usage = addUsage(row.usage, usage);
      state.usage = addUsage(state.usage, usage);
      for (const [of, name] of [
        [state.usageByAgent, row.activation.agent],
        [state.usageByModel, model],
      ] as const)
        of.set(name, addUsage(of.get(name) ?? noUsage, usage));
    },
  });
}

function budgetOf(limits: Limits, state: BudgetOptions["state"], exhausted: BudgetOptions["exhausted"] = () => expect.unreachable()) {
  return new Budget({ limits, state, exhausted });
}

interface Planned extends CallOwner {
  readonly reserved: number;
  /** Part of what was reserved that is really used. */
  readonly part: number;
  readonly turns: number;
}

const names = fc.constantFrom("x", "y", "z");
const amounts = fc.record({ tokens: fc.integer({ min: 1, max: 120 }), calls: fc.integer({ min: 1, max: 20 }) }, { requiredKeys: [] });
const someLimits: fc.Arbitrary<Limits> = fc.record(
  {
    tokens: fc.integer({ min: 1, max: 200 }),
    calls: fc.integer({ min: 1, max: 30 }),
    activation: amounts,
    agents: fc.dictionary(names, amounts),
    models: fc.dictionary(names, amounts),
  },
  { requiredKeys: [] },
);
const world = fc.record({
  limits: someLimits,
  agents: fc.array(names, { minLength: 1, maxLength: 6 }),
  slots: fc.integer({ min: 1, max: 6 }),
  planned: fc.array(
    fc.record({
      activation: fc.nat({ max: 5 }),
      model: names,
      reserved: fc.integer({ min: 10, max: 50 }),
      part: fc.oneof(fc.constant(1), fc.double({ min: 0, max: 1, noNaN: true })),
      turns: fc.nat({ max: 5 }),
    }),
    { minLength: 1, maxLength: 40 },
  ),
});

/** Makes the planned calls, some at once; a call that its activation may not make is left out. */
async function spendAll({ limits, agents, slots, planned }: { limits: Limits; agents: string[]; slots: number; planned: Planned[] }) {
  const state = spending(agents);
  const ended: Exhaustion[] = [];
  const refused: Planned[] = [];
  const budget: Budget = budgetOf(limits, state, (what) => {
    ended.push(what);
    budget.close(new Error("over"));
  });
  const queue = planned.map((call) => ({ ...call, activation: call.activation % agents.length }));
  let made = 0;
  const slot = async (): Promise<void> => {
    for (let call = queue.shift(); call !== undefined; call = queue.shift()) {
      let release: () => void;
      try {
        release = await budget.reserve({ tokens: call.reserved, usd: 0 }, call, never);
      } catch (thrown) {
        if (!(thrown instanceof Error && "code" in thrown)) throw thrown;
        expect(thrown).toMatchObject({ code: "activation_exhausted", retryable: false });
        refused.push(call);
        continue;
      }
      for (let turn = 0; turn < call.turns; turn++) await Promise.resolve();
      // A server can be cheaper than an estimate, never dearer: it is an upper bound.
      state.spend(call, Math.floor(call.part * call.reserved), 0);
      made++;
      release();
    }
  };
  const slotsEnded = await Promise.allSettled(Array.from({ length: slots }, slot));
  return { state, ended, refused, made, rejected: slotsEnded.filter(({ status }) => status === "rejected").length };
}

function expectWithin(limits: Limits, state: ReturnType<typeof spending>): void {
  const all = [
    [limits, state.usage],
    ...state.rows.map(({ usage }) => [limits.activation, usage] as const),
    ...[...state.usageByAgent].map(([name, usage]) => [limits.agents?.[name], usage] as const),
    ...[...state.usageByModel].map(([name, usage]) => [limits.models?.[name], usage] as const),
  ] as const;
  for (const [limit, usage] of all) {
    // Everything that was reserved is an upper bound, so only the last call that was let in can go over.
    if (limit?.tokens !== undefined) expect(usage.inputTokens).toBeLessThan(limit.tokens + 50);
    if (limit?.calls !== undefined) expect(usage.calls).toBeLessThanOrEqual(limit.calls);
  }
}

function expectUsedUp({ activation = {} }: Limits, row: ActivationRow | undefined): void {
  const { tokens = Infinity, calls = Infinity } = activation;
  const { inputTokens, calls: made } = row?.usage ?? noUsage;
  expect(inputTokens >= tokens || made >= calls).toBe(true);
}

test("Budget goes over no limit of run, agent, model or activation by more than one call, and leaves nobody waiting", async () => {
  await fc.assert(
    fc.asyncProperty(world, async (given) => {
      const { state, ended, refused, made, rejected } = await spendAll(given);
      expectWithin(given.limits, state);
      // Each call was made or refused, or the run ended, once, for a limit that was really used up.
      expect(ended).toHaveLength(made + refused.length === given.planned.length ? 0 : 1);
      if (ended.length === 0) expect(rejected).toBe(0);
      for (const { used, allowed } of ended) expect(used).toBeGreaterThanOrEqual(allowed);
      for (const { activation } of refused) expectUsedUp(given.limits, state.rows[activation % given.agents.length]);
    }),
    { numRuns: 500 },
  );
});

test("Budget names whose limit it was", async () => {
  const state = spending();
  const ended: Exhaustion[] = [];
  const some = { tokens: 5 };
  for (const limits of [{ agents: { a: some } }, { models: { m: some } }, some] as Limits[]) {
    const budget: Budget = budgetOf(limits, state, (what) => {
      ended.push(what);
      budget.close(new Error("over"));
    });
    if (state.usage === noUsage) state.spend(owner, 7, 0);
    await expect(budget.reserve({ tokens: 1, usd: 0 }, owner, never)).rejects.toThrow("over");
  }
  const what = { limit: "tokens", allowed: 5, used: 7 };
  expect(ended).toEqual([{ ...what, of: "agent a" }, { ...what, of: "model m" }, what]);
});

test("Budget holds up only the calls of the agent that has to wait", async () => {
  const state = spending(["a", "b"]);
  const budget = budgetOf({ agents: { a: { calls: 1 } } }, state);
  const order: string[] = [];
  const release = await budget.reserve({ tokens: 1, usd: 0 }, owner, never);
  const waits = budget.reserve({ tokens: 1, usd: 0 }, owner, never).then(() => order.push("a"));
  await budget.reserve({ tokens: 1, usd: 0 }, { ...owner, activation: 1 }, never).then(() => order.push("b"));
  expect(order).toEqual(["b"]);
  release();
  await waits;
  expect(order).toEqual(["b", "a"]);
});

test("Budget takes names that objects have anyway for names", async () => {
  const state = spending(["constructor"]);
  const budget = budgetOf({ agents: {}, models: {} }, state);
  await budget.reserve({ tokens: 1, usd: 0 }, { activation: 0, model: "toString" }, never);
});

test("Budget lets the next call start as soon as the reservations leave room", async () => {
  const state = spending();
  const budget = budgetOf({ tokens: 100 }, state);
  const release = await budget.reserve({ tokens: 100, usd: 0 }, owner, never);
  const order: string[] = [];
  const second = budget.reserve({ tokens: 100, usd: 0 }, owner, never).then(() => order.push("second"));
  await Promise.resolve();
  expect(order).toEqual([]);
  state.spend(owner, 10, 0);
  release();
  await second;
  expect(order).toEqual(["second"]);
});

test("Budget leaves no listener on the signal of a call that waited", async () => {
  const budget = budgetOf({ calls: 1 }, spending());
  const { signal } = new AbortController();
  const release = await budget.reserve({ tokens: 1, usd: 0 }, owner, signal);
  const waiting = budget.reserve({ tokens: 1, usd: 0 }, owner, signal);
  expect(getEventListeners(signal, "abort")).toHaveLength(1);
  release();
  await waiting;
  expect(getEventListeners(signal, "abort")).toHaveLength(0);
});

test("Budget forgets who stops waiting", async () => {
  const budget = budgetOf({ calls: 1 }, spending());
  const release = await budget.reserve({ tokens: 1, usd: 0 }, owner, never);
  const user = new AbortController();
  const waiting = budget.reserve({ tokens: 1, usd: 0 }, owner, user.signal);
  user.abort(new Error("gone"));
  await expect(waiting).rejects.toThrow("gone");
  release();
  await budget.reserve({ tokens: 1, usd: 0 }, owner, never);
});

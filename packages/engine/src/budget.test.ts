import { getEventListeners } from "node:events";
import { addUsage, noUsage, type Usage } from "@troupe/schema";
import fc from "fast-check";
import { expect, test } from "vitest";
import { Budget, type Exhaustion } from "./budget.ts";

const never = new AbortController().signal;

function spend(tokens: number, usd: number): Usage {
  return { ...noUsage, calls: 1, inputTokens: tokens, usd };
}

const calls = fc.array(
  fc.record({ reserved: fc.integer({ min: 1, max: 50 }), real: fc.integer({ min: 0, max: 50 }), turns: fc.nat({ max: 5 }) }),
  { minLength: 1, maxLength: 30 },
);

test("Budget goes over no limit by more than one call per slot, and ends once with what was used", async () => {
  await fc.assert(
    fc.asyncProperty(calls, fc.integer({ min: 1, max: 300 }), fc.integer({ min: 1, max: 6 }), async (planned, tokens, slots) => {
      let usage = noUsage;
      const ended: Exhaustion[] = [];
      const limits = { tokens, usd: tokens / 100, calls: 20 };
      const budget = new Budget({ limits, usage: () => usage, exhausted: (what) => end(what) });
      const end = (what: Exhaustion): void => {
        ended.push(what);
        budget.close(new Error("over"));
      };
      const queue = [...planned];
      let largest = 0;
      const slot = async (): Promise<void> => {
        for (let next = queue.shift(); next !== undefined; next = queue.shift()) {
          // A server can be cheaper than an estimate, never dearer: it is an upper bound.
          const real = Math.min(next.real, next.reserved);
          const reservation = { tokens: next.reserved, usd: next.reserved / 100 };
          await budget.reserve(reservation, never);
          for (let turn = 0; turn < next.turns; turn++) await Promise.resolve();
          usage = addUsage(usage, spend(real, real / 100));
          largest = Math.max(largest, real);
          budget.release(reservation);
        }
      };
      await Promise.allSettled(Array.from({ length: slots }, slot));
      expect(usage.inputTokens).toBeLessThan(tokens + slots * Math.max(1, largest));
      expect(usage.calls).toBeLessThanOrEqual(20);
      expect(ended.length).toBe(queue.length > 0 || usage.calls < planned.length ? 1 : 0);
      for (const { used, allowed } of ended) expect(used).toBeGreaterThanOrEqual(allowed);
    }),
    { numRuns: 200 },
  );
});

test("Budget lets the next call start as soon as the reservations leave room", async () => {
  let usage = noUsage;
  const budget = new Budget({ limits: { tokens: 100 }, usage: () => usage, exhausted: () => expect.unreachable() });
  await budget.reserve({ tokens: 100, usd: 0 }, never);
  const order: string[] = [];
  const second = budget.reserve({ tokens: 100, usd: 0 }, never).then(() => order.push("second"));
  await Promise.resolve();
  expect(order).toEqual([]);
  usage = spend(10, 0);
  budget.release({ tokens: 100, usd: 0 });
  await second;
  expect(order).toEqual(["second"]);
});

test("Budget leaves no listener on the signal of a call that waited", async () => {
  const budget = new Budget({ limits: { calls: 1 }, usage: () => noUsage, exhausted: () => expect.unreachable() });
  const { signal } = new AbortController();
  await budget.reserve({ tokens: 1, usd: 0 }, signal);
  const waiting = budget.reserve({ tokens: 1, usd: 0 }, signal);
  expect(getEventListeners(signal, "abort")).toHaveLength(1);
  budget.release({ tokens: 1, usd: 0 });
  await waiting;
  expect(getEventListeners(signal, "abort")).toHaveLength(0);
});

test("Budget forgets who stops waiting", async () => {
  const budget = new Budget({ limits: { calls: 1 }, usage: () => noUsage, exhausted: () => expect.unreachable() });
  await budget.reserve({ tokens: 1, usd: 0 }, never);
  const user = new AbortController();
  const waiting = budget.reserve({ tokens: 1, usd: 0 }, user.signal);
  user.abort(new Error("gone"));
  await expect(waiting).rejects.toThrow("gone");
  budget.release({ tokens: 1, usd: 0 });
  await budget.reserve({ tokens: 1, usd: 0 }, never);
});

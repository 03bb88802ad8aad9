import fc from "fast-check";
import { expect, it } from "vitest";
import { adjustHolm } from "./holm.ts";

const pValues = fc.array(fc.double({ min: 0, max: 1, noNaN: true }), { minLength: 1, maxLength: 20 });

it("adjustHolm() gives values that can be counted by hand", () => {
  const expectNear = (given: number[], wanted: number[]): void => {
    for (const [i, p] of adjustHolm(given).entries()) expect(p).toBeCloseTo(wanted[i] ?? Number.NaN, 12);
  };
  expectNear([0.01, 0.04, 0.03, 0.005], [0.03, 0.06, 0.06, 0.02]);
  expectNear([0.5, 0.9], [1, 1]);
  expectNear([0.02], [0.02]);
  expect(adjustHolm([])).toEqual([]);
});

it("adjustHolm() is monotone, never below the value, and never above Bonferroni's", () => {
  fc.assert(
    fc.property(pValues, (given) => {
      const adjusted = adjustHolm(given);
      for (const [i, p] of given.entries()) {
        const own = adjusted[i] ?? Number.NaN;
        expect(own).toBeGreaterThanOrEqual(p);
        expect(own).toBeLessThanOrEqual(Math.min(1, p * given.length) + 1e-15);
        for (const [j, other] of given.entries()) if (p <= other) expect(own).toBeLessThanOrEqual(adjusted[j] ?? Number.NaN);
      }
    }),
  );
});

it("adjustHolm() rejects exactly what the step-down procedure rejects", () => {
  fc.assert(
    fc.property(pValues, fc.double({ min: 0.001, max: 0.5, noNaN: true }), (given, alpha) => {
      const sorted = [...given].sort((a, b) => a - b);
      const stop = sorted.findIndex((p, i) => (given.length - i) * p > alpha);
      const rejected = adjustHolm(given).filter((p) => p <= alpha).length;
      expect(rejected).toBe(stop === -1 ? given.length : stop);
    }),
  );
});

it("adjustHolm() does not depend on the order, and refuses what is no probability", () => {
  fc.assert(
    fc.property(pValues, (given) => {
      expect(adjustHolm([...given].reverse())).toEqual(adjustHolm(given).reverse());
    }),
  );
  expect(() => adjustHolm([0.1, 1.5])).toThrow(RangeError);
});

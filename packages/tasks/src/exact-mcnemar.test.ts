import fc from "fast-check";
import { expect, test } from "vitest";
import { exactMcNemar } from "./exact-mcnemar.ts";

test("exactMcNemar() gives binomial values that can be counted by hand", () => {
  expect(exactMcNemar(0, 0)).toBe(1);
  expect(exactMcNemar(0, 1)).toBe(1);
  expect(exactMcNemar(0, 5)).toBeCloseTo(2 / 32, 12);
  expect(exactMcNemar(1, 5)).toBeCloseTo((2 * (1 + 6)) / 64, 12);
  expect(exactMcNemar(2, 2)).toBe(1);
  expect(exactMcNemar(5, 15)).toBeCloseTo(0.04139, 5);
});

test("exactMcNemar() is symmetric, in (0, 1], and falls as the difference grows", () => {
  const count = fc.integer({ min: 0, max: 300 });
  fc.assert(
    fc.property(count, count, (a, b) => {
      const p = exactMcNemar(a, b);
      expect(p).toBe(exactMcNemar(b, a));
      expect(p).toBeGreaterThan(0);
      expect(p).toBeLessThanOrEqual(1);
      expect(exactMcNemar(Math.min(a, b), Math.max(a, b) + 1)).toBeLessThanOrEqual(p + 1e-12);
    }),
  );
});

test("exactMcNemar() survives counts whose powers of two underflow", () => {
  expect(exactMcNemar(2000, 2000)).toBe(1);
  expect(exactMcNemar(1900, 2100)).toBeCloseTo(0.00165, 4);
});

test("exactMcNemar() refuses what is no count", () => {
  expect(() => exactMcNemar(-1, 2)).toThrow(RangeError);
  expect(() => exactMcNemar(1, 1.5)).toThrow(RangeError);
});

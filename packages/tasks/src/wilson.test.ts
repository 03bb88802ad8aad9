import fc from "fast-check";
import { expect, test } from "vitest";
import { wilson } from "./wilson.ts";

test("wilson() gives the published interval of 24 out of 30", () => {
  const { low, high } = wilson(24, 30);
  expect(low).toBeCloseTo(0.6269, 4);
  expect(high).toBeCloseTo(0.9049, 4);
});

test("wilson() touches the ends when none or all passed", () => {
  expect(wilson(0, 10).low).toBe(0);
  expect(wilson(0, 10).high).toBeCloseTo(0.2775, 4);
  expect(wilson(10, 10).high).toBe(1);
  expect(wilson(0, 0)).toEqual({ low: 0, high: 1 });
});

test("wilson() holds the share and is symmetric", () => {
  const sample = fc.integer({ min: 1, max: 5000 }).chain((total) => fc.tuple(fc.integer({ min: 0, max: total }), fc.constant(total)));
  fc.assert(
    fc.property(sample, ([passed, total]) => {
      const { low, high } = wilson(passed, total);
      const mirrored = wilson(total - passed, total);
      expect(low).toBeGreaterThanOrEqual(0);
      expect(high).toBeLessThanOrEqual(1);
      expect(low).toBeLessThanOrEqual(passed / total);
      expect(high).toBeGreaterThanOrEqual(passed / total);
      expect(low).toBeCloseTo(1 - mirrored.high, 10);
    }),
  );
});

test("wilson() refuses what is no count", () => {
  for (const [passed, total] of [
    [-1, 2],
    [3, 2],
    [0.5, 2],
    [1, Number.NaN],
  ] as const) {
    expect(() => wilson(passed, total)).toThrow(RangeError);
  }
});

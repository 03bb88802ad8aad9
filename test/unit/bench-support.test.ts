import { expect, test } from "vitest";
import { heights, listSchedule } from "../bench/support/list-schedule.mjs";
import { fitExponent, quantile } from "../bench/support/statistics.mjs";

test("fitExponent() finds a known exponent, and an interval that holds it when the costs are disturbed", () => {
  const sizes = [1e3, 1e4, 1e5];
  const exact = fitExponent(sizes.map((size) => ({ size, cost: 3 * size ** 1.25 })));
  expect(exact.exponent).toBeCloseTo(1.25, 10);
  expect(exact.halfWidth).toBeCloseTo(0, 6);
  const disturbed = [0.9, 1.05, 1.1, 0.95].flatMap((factor, i) =>
    sizes.map((size, j) => ({ size, cost: (j === i % 3 ? factor : 1) * size })),
  );
  const { exponent, halfWidth } = fitExponent(disturbed);
  expect(Math.abs(exponent - 1)).toBeLessThan(halfWidth);
  expect(halfWidth).toBeLessThan(0.05);
});

test("quantile() lies between its neighbours", () => {
  expect(quantile([4, 1, 3, 2], 0.5)).toBe(2.5);
  expect(quantile([1, 2, 3], 1)).toBe(3);
});

test("listSchedule() gives free slots to the longest path ahead", () => {
  // Two slots: 0 and the long 2 first, then 1, while 3 waits for 2.
  const parents = [[], [], [], [2]];
  const times = [1, 1, 3, 2];
  expect(listSchedule(parents, times, 2, heights(parents, times))).toBe(5);
  // Who thinks the others are longer lets 2 wait.
  expect(listSchedule(parents, times, 2, [9, 9, 0, 0])).toBe(6);
  expect(listSchedule(parents, times, 1, heights(parents, times))).toBe(7);
});

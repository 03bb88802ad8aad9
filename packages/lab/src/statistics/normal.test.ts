import { expect, it } from "vitest";
import { normalCdf, normalQuantile } from "./normal.ts";

/** 0.5 erfc(−z/√2) and the quantiles as Python's math and statistics give them. */
const cdf: [number, number][] = [
  [-8, 6.220960574271819e-16],
  [-5, 2.866515718791946e-7],
  [-3.5, 0.00023262907903552504],
  [-3, 0.0013498980316301035],
  [-2.9, 0.001865813300384045],
  [-1.96, 0.024997895148220428],
  [0, 0.5],
  [0.1, 0.539827837277029],
  [2.5, 0.9937903346742238],
  [3.1, 0.9990323967867816],
];
const quantiles: [number, number][] = [
  [1e-10, -6.361340902404056],
  [1e-5, -4.2648907939228256],
  [0.025, -1.9599639845400538],
  [0.2, -0.8416212335729142],
  [0.5, 0],
  [0.975, 1.9599639845400536],
  [0.9999, 3.7190164854557084],
];

it.each(cdf)("normalCdf(%f) has the digits of the reference", (z, p) => {
  expect(Math.abs(normalCdf(z) / p - 1)).toBeLessThan(1e-12);
});

it.each(quantiles)("normalQuantile(%f) has the digits of the reference", (p, z) => {
  expect(normalQuantile(p)).toBeCloseTo(z, 11);
});

it("normalQuantile() ends at infinity, and refuses what is no probability", () => {
  expect([normalQuantile(0), normalQuantile(1)]).toEqual([Number.NEGATIVE_INFINITY, Number.POSITIVE_INFINITY]);
  for (const p of [-0.1, 1.1, Number.NaN]) expect(() => normalQuantile(p)).toThrow(RangeError);
});

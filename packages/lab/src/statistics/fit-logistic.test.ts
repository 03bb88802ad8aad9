import { createRandom } from "@troupe/schema";
import { describe, expect, it } from "vitest";
import { fitLogistic, type LogisticFit } from "./fit-logistic.ts";
import { normalQuantile } from "./normal.ts";

const sizes = [1, 2, 4, 8, 16, 32, 64];
const truth = { alpha: 2.7, beta: 1.6, gamma: 0.35, delta: 0.4 };
const names = ["alpha", "beta", "gamma", "delta"] as const;
const quality = (size: number, { alpha, beta, gamma, delta } = truth): number =>
  gamma / (1 + Math.exp(-beta * (Math.log2(size) - alpha))) + delta;

/** What runs of every size would measure: the curve with seeded noise. */
function script(seed: number, noise: number, runs: number) {
  const random = createRandom(seed, "noise");
  return sizes.flatMap((size) =>
    Array.from({ length: runs }, () => ({
      size,
      quality: quality(size) + noise * normalQuantile((random.integer(1 << 20) + 0.5) / (1 << 20)),
    })),
  );
}

const distances = (fit: LogisticFit): number[] => names.map((name) => Math.abs(fit[name].value - truth[name]) / fit[name].standardError);

describe("fitLogistic()", () => {
  it("recovers the parameters of an exact curve, also of a falling one", () => {
    const fit = fitLogistic(sizes.map((size) => ({ size, quality: quality(size) })));
    for (const name of names) expect(fit[name].value).toBeCloseTo(truth[name], 5);
    expect(fit.residualError).toBeLessThan(1e-6);
    expect(fit.qualityAt(8)).toBeCloseTo(quality(8), 6);
    const falling = { ...truth, gamma: -0.2 };
    const fallen = fitLogistic(sizes.map((size) => ({ size, quality: quality(size, falling) })));
    for (const name of names) expect(fallen[name].value).toBeCloseTo(falling[name], 5);
  });

  it("recovers known parameters from scripted quality within its standard errors", () => {
    const fit = fitLogistic(script(1, 0.02, 10));
    for (const distance of distances(fit)) expect(distance).toBeLessThan(3);
    expect(fit.alpha.standardError).toBeLessThan(0.3);
    expect(fit.residualError).toBeCloseTo(0.02, 2);
  });

  it("has standard errors that hold: about 95 in 100 fits lie within two of them", () => {
    const rounds = 200;
    const hits = [0, 0, 0, 0];
    for (let seed = 0; seed < rounds; seed++)
      for (const [i, distance] of distances(fitLogistic(script(seed, 0.02, 10))).entries())
        if (distance < 1.96) hits[i] = (hits[i] ?? 0) + 1;
    for (const count of hits) expect(count / rounds).toBeGreaterThan(0.88);
  });

  it("has standard errors that hold when each task is harder or easier at all sizes, where plain ones are far too large", () => {
    const rounds = 60;
    const hits = [0, 0, 0, 0];
    for (let seed = 0; seed < rounds; seed++) {
      const random = createRandom(seed, "tasks");
      const draw = () => normalQuantile((random.integer(1 << 20) + 0.5) / (1 << 20));
      const points = Array.from({ length: 20 }, (_, task) => ({ cluster: String(task), ease: 0.2 * draw() })).flatMap(({ cluster, ease }) =>
        sizes.map((size) => ({ size, quality: quality(size) + ease + 0.03 * draw(), cluster })),
      );
      const fit = fitLogistic(points);
      for (const [i, distance] of distances(fit).entries()) if (distance < 1.96) hits[i] = (hits[i] ?? 0) + 1;
      const plain = fitLogistic(points.map(({ size, quality }) => ({ size, quality })));
      for (const name of ["alpha", "beta", "gamma"] as const)
        expect(plain[name].standardError).toBeGreaterThan(2 * fit[name].standardError);
    }
    for (const count of hits) expect(count / rounds).toBeGreaterThan(0.8);
  });

  it("says of what the data don't determine that its error is infinite", () => {
    const flat = fitLogistic(sizes.map((size) => ({ size, quality: 0.5 })));
    expect(flat.qualityAt(10)).toBeCloseTo(0.5, 9);
    expect(flat.alpha.standardError).toBe(Number.POSITIVE_INFINITY);
  });

  it("is refused below six sizes, however many runs there are, and for what is no size", () => {
    const few = script(1, 0.02, 10).filter(({ size }) => size <= 16);
    expect(() => fitLogistic(few)).toThrow(/5 sizes.*at least 6/);
    expect(() => fitLogistic([])).toThrow("0 sizes");
    expect(fitLogistic(script(1, 0.02, 1).filter(({ size }) => size <= 32)).alpha.value).toBeDefined();
    expect(() => fitLogistic([{ size: 0, quality: 1 }])).toThrow(/sizes above 0/);
    expect(() => fitLogistic([{ size: 1, quality: Number.NaN }])).toThrow(/finite qualities/);
  });
});

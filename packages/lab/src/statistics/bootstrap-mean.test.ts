import { createRandom, type Random } from "@troupe/schema";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { type Clustered, bootstrapMean } from "./bootstrap-mean.ts";
import { normalCdf, normalQuantile } from "./normal.ts";

const options = { resamples: 2000, level: 0.95, seed: 1 };
const apart = (values: readonly number[]): Clustered[] => values.map((value, i) => ({ cluster: `${i}`, value }));
const sum = (values: readonly number[]): number => values.reduce((all, value) => all + value, 0);

/** The plain BCa interval of a mean as the paper writes it, over given bootstrap means. */
function plainBca(values: readonly number[], means: readonly number[]): [number, number] {
  const n = values.length;
  const estimate = sum(values) / n;
  const near = (value: number): boolean => Math.abs(value - estimate) < 1e-9;
  const share = (means.filter((m) => m < estimate && !near(m)).length + means.filter(near).length / 2) / means.length;
  const z0 = normalQuantile(share);
  const off = values.map((value) => (value - estimate) / (n - 1));
  const a = sum(off.map((d) => d ** 3)) / (6 * sum(off.map((d) => d ** 2)) ** 1.5);
  const sorted = [...means].sort((x, y) => x - y);
  const end = (alpha: number): number => {
    const z = z0 + normalQuantile(alpha);
    const place = normalCdf(z0 + z / (1 - a * z)) * (means.length - 1);
    const at = Math.floor(place);
    return (sorted[at] ?? 0) + (place - at) * ((sorted[at + 1] ?? sorted[at] ?? 0) - (sorted[at] ?? 0));
  };
  return [end(0.025), end(0.975)];
}

describe("bootstrapMean()", () => {
  it("comes near the exact interval that all resamples of a small sample give", () => {
    const values = [1, 2, 4, 9, 3];
    let means = [0];
    for (let i = 0; i < values.length; i++) means = means.flatMap((before) => values.map((value) => before + value / values.length));
    expect(means).toHaveLength(5 ** 5);
    const [low, high] = plainBca(values, means);
    const { mean, interval } = bootstrapMean(apart(values), { ...options, resamples: 50_000 });
    expect(mean).toBeCloseTo(3.8, 12);
    expect(interval?.low).toBeCloseTo(low, 0);
    expect(Math.abs((interval?.low ?? 0) - low)).toBeLessThan(0.11);
    expect(Math.abs((interval?.high ?? 0) - high)).toBeLessThan(0.11);
    // The data are skewed to the right, and so is the interval: a plain percentile interval would be [2, 6.2].
    expect((interval?.high ?? 0) - 3.8).toBeGreaterThan(3.8 - (interval?.low ?? 0));
  });

  it("is the plain bootstrap when every cluster has one value", () => {
    fc.assert(
      fc.property(
        fc.array(
          fc.integer({ min: -50, max: 50 }).map((value) => value / 8),
          { minLength: 3, maxLength: 12 },
        ),
        fc.integer({ min: 0 }),
        (values, seed) => {
          fc.pre(new Set(values).size > 2);
          const random = createRandom(seed, "bootstrap");
          const means = Array.from(
            { length: 400 },
            () => sum(values.map(() => values[random.integer(values.length)] ?? 0)) / values.length,
          );
          const [low, high] = plainBca(values, means);
          const { interval } = bootstrapMean(apart(values), { resamples: 400, level: 0.95, seed });
          expect(interval?.low).toBeCloseTo(low, 6);
          expect(interval?.high).toBeCloseTo(high, 6);
        },
      ),
      { numRuns: 50, seed: 7 },
    );
  });

  it("draws whole clusters: copies of a run within its task make an interval no narrower", () => {
    const values = [0, 1, 1, 0, 1, 1, 0.5, 0.2];
    const once = bootstrapMean(apart(values), options);
    const copies = apart(values).flatMap((one) => [one, one, one]);
    const copied = bootstrapMean(copies, options);
    expect(copied.interval?.low).toBeCloseTo(once.interval?.low ?? 0, 9);
    expect(copied.interval?.high).toBeCloseTo(once.interval?.high ?? 0, 9);
    expect(copied.clusters).toBe(8);
    const loose = bootstrapMean(
      copies.map(({ value }, i) => ({ cluster: `${i}`, value })),
      options,
    );
    const width = ({ interval }: typeof once): number => (interval?.high ?? 0) - (interval?.low ?? 0);
    expect(width(loose)).toBeLessThan(0.75 * width(once));
  });

  it("is the same for the same seed, and turns round with the sign", () => {
    const values = [0.3, 1.2, -0.4, 2.2, 0.9, 0.1];
    const one = bootstrapMean(apart(values), options);
    expect(bootstrapMean(apart(values), options)).toEqual(one);
    expect(bootstrapMean(apart(values), { ...options, seed: 2 })).not.toEqual(one);
    const turned = bootstrapMean(apart(values.map((value) => -value)), options);
    expect(turned.interval?.low).toBeCloseTo(-(one.interval?.high ?? 0), 9);
  });

  it("knows no interval for one cluster, a point for equal values, and refuses nothing at all", () => {
    expect(
      bootstrapMean(
        [
          { cluster: "a", value: 1 },
          { cluster: "a", value: 0 },
        ],
        options,
      ),
    ).toEqual({ mean: 0.5, interval: undefined, clusters: 1 });
    expect(bootstrapMean(apart([1, 1, 1]), options).interval).toEqual({ low: 1, high: 1 });
    expect(() => bootstrapMean([], options)).toThrow(RangeError);
    expect(() => bootstrapMean(apart([1, Number.NaN]), options)).toThrow(RangeError);
  });
});

describe("coverage of bootstrapMean()", () => {
  const gaussian = (random: Random): number => normalQuantile((random.integer(1 << 20) + 0.5) / (1 << 20));
  const covers = ({ interval }: ReturnType<typeof bootstrapMean>, truth: number): boolean =>
    interval !== undefined && interval.low <= truth && truth <= interval.high;
  const rounds = 300;

  it("is about what is promised on skewed data", () => {
    let hits = 0;
    for (let round = 0; round < rounds; round++) {
      const random = createRandom(round, "skewed");
      const values = Array.from({ length: 40 }, () => -Math.log(1 - random.next()));
      if (covers(bootstrapMean(apart(values), { ...options, resamples: 600, seed: round }), 1)) hits++;
    }
    expect(hits / rounds).toBeGreaterThan(0.9);
    expect(hits / rounds).toBeLessThan(0.99);
  });

  it("is about what is promised when runs of a task are alike, which it isn't when tasks are ignored", () => {
    let clustered = 0;
    let ignored = 0;
    for (let round = 0; round < rounds; round++) {
      const random = createRandom(round, "clustered");
      const values = Array.from({ length: 40 }, (_, task) => {
        const effect = gaussian(random);
        return Array.from({ length: 4 }, () => ({ cluster: `${task}`, value: effect + 0.3 * gaussian(random) }));
      }).flat();
      const how = { ...options, resamples: 600, seed: round };
      if (covers(bootstrapMean(values, how), 0)) clustered++;
      if (covers(bootstrapMean(apart(values.map(({ value }) => value)), how), 0)) ignored++;
    }
    expect(clustered / rounds).toBeGreaterThan(0.9);
    expect(clustered / rounds).toBeLessThan(0.99);
    expect(ignored / rounds).toBeLessThan(0.8);
  });
});

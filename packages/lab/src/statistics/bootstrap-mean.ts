import { createRandom } from "@troupe/schema";
import type { Interval } from "@troupe/tasks";
import { bcaInterval } from "./bca-interval.ts";

/** One value, and the cluster whose values depend on each other: of runs, the task. */
export interface Clustered {
  readonly cluster: string;
  readonly value: number;
}

/** How to draw. */
export interface BootstrapOptions {
  /** Bootstrap samples. */
  readonly resamples: number;
  /** What the interval holds, such as 0.95. */
  readonly level: number;
  readonly seed: number;
}

/** A mean with its interval. */
export interface MeanInterval {
  readonly mean: number;
  /** Undefined with fewer than two clusters: then nothing tells how far the mean would move. */
  readonly interval: Interval | undefined;
  readonly clusters: number;
}

/**
 * The mean of values and its BCa interval by the cluster bootstrap: whole clusters are drawn with replacement, each with all its values
 * (Efron 1987 for the interval; Davison and Hinkley 1997, section 3.8, for clusters). Give it differences of pairs to compare two systems.
 *
 * A sample of m clusters with sums sᵢ and counts nᵢ has the mean Σsᵢ / Σnᵢ. With one value a cluster it is the plain bootstrap.
 *
 * @throws RangeError for no values, or a value that is not finite.
 * @example
 * bootstrapMean([{ cluster: "a", value: 1 }, { cluster: "b", value: 0 }], { resamples: 2000, level: 0.95, seed: 1 });
 */
export function bootstrapMean(values: readonly Clustered[], { resamples, level, seed }: BootstrapOptions): MeanInterval {
  if (values.length === 0) throw new RangeError("bootstrapMean(): there are no values");
  const clusters = [...clustersOf(values).values()];
  const mean = meanOf(clusters);
  if (clusters.length < 2) return { mean, interval: undefined, clusters: clusters.length };
  const random = createRandom(seed, "bootstrap");
  const drawn = Array.from({ length: resamples }, () => {
    let sum = 0;
    let count = 0;
    for (let i = 0; i < clusters.length; i++) {
      const one = clusters[random.integer(clusters.length)];
      sum += one?.sum ?? 0;
      count += one?.count ?? 0;
    }
    return sum / count;
  });
  return { mean, interval: bcaInterval({ estimate: mean, drawn, leftOut: leaveOneOut(clusters), level }), clusters: clusters.length };
}

interface Cluster {
  sum: number;
  count: number;
}

function clustersOf(values: readonly Clustered[]): Map<string, Cluster> {
  const clusters = new Map<string, Cluster>();
  for (const { cluster, value } of values) {
    if (!Number.isFinite(value)) throw new RangeError(`bootstrapMean(): ${value} is not finite`);
    const one = clusters.get(cluster) ?? { sum: 0, count: 0 };
    clusters.set(cluster, one);
    one.sum += value;
    one.count++;
  }
  return clusters;
}

function meanOf(clusters: readonly Cluster[]): number {
  const total = clusters.reduce((all, { sum, count }) => ({ sum: all.sum + sum, count: all.count + count }), { sum: 0, count: 0 });
  return total.sum / total.count;
}

/** The means that are left when one cluster after the other is taken away: the jackknife. */
function leaveOneOut(clusters: readonly Cluster[]): number[] {
  const total = clusters.reduce((all, { sum, count }) => ({ sum: all.sum + sum, count: all.count + count }), { sum: 0, count: 0 });
  return clusters.map(({ sum, count }) => (total.sum - sum) / (total.count - count));
}

import type { Interval } from "@troupe/tasks";
import { normalCdf, normalQuantile } from "./normal.ts";

/** What a BCa interval is made of. */
export interface BcaParts {
  /** The statistic of the data. */
  readonly estimate: number;
  /** The statistic of each bootstrap sample. */
  readonly drawn: readonly number[];
  /** The statistic without each of the units in turn (jackknife). */
  readonly leftOut: readonly number[];
  /** What the interval holds, such as 0.95. */
  readonly level: number;
}

/**
 * The bias-corrected and accelerated bootstrap interval (Efron 1987, "Better bootstrap confidence intervals", JASA 82, 171–185).
 *
 * With z₀ = Φ⁻¹(share of samples below the estimate, ties by half) and the acceleration a = Σd³ / (6 (Σd²)^1.5), where
 * d = mean of the jackknife values − each of them, the end of level α is the sample quantile of Φ(z₀ + (z₀ + z_α) / (1 − a (z₀ + z_α))).
 *
 * @returns both ends equal to the estimate when all samples are.
 * @throws RangeError without samples or without a level between 0 and 1.
 */
export function bcaInterval({ estimate, drawn, leftOut, level }: BcaParts): Interval {
  if (drawn.length === 0 || !(level > 0 && level < 1)) throw new RangeError(`bcaInterval(): samples and a level in (0, 1) are needed`);
  const sorted = [...drawn].sort((a, b) => a - b);
  const bias = biasOf(estimate, sorted);
  const acceleration = accelerationOf(leftOut);
  const endOf = (alpha: number): number => quantileOf(sorted, adjusted(alpha, bias, acceleration));
  return { low: endOf((1 - level) / 2), high: endOf((1 + level) / 2) };
}

function biasOf(estimate: number, sorted: readonly number[]): number {
  // Sums in another order differ in the last digits; what differs only there is a tie.
  const slack = 1e-12 * Math.max(1, Math.abs(estimate));
  const below = sorted.filter((value) => value < estimate - slack).length;
  const ties = sorted.filter((value) => Math.abs(value - estimate) <= slack).length;
  const share = (below + ties / 2) / sorted.length;
  const least = 0.5 / sorted.length;
  return normalQuantile(Math.min(1 - least, Math.max(least, share)));
}

function accelerationOf(leftOut: readonly number[]): number {
  const mean = leftOut.reduce((sum, value) => sum + value, 0) / leftOut.length;
  let squares = 0;
  let cubes = 0;
  for (const value of leftOut) {
    squares += (mean - value) ** 2;
    cubes += (mean - value) ** 3;
  }
  return squares === 0 ? 0 : cubes / (6 * squares ** 1.5);
}

function adjusted(alpha: number, bias: number, acceleration: number): number {
  const shifted = bias + normalQuantile(alpha);
  const spread = 1 - acceleration * shifted;
  // Beyond its pole the formula would turn round; the end of the samples is meant.
  if (spread <= 0) return shifted > 0 ? 1 : 0;
  return normalCdf(bias + shifted / spread);
}

/** The quantile of sorted values with straight lines between them (Hyndman and Fan 1996, type 7). */
function quantileOf(sorted: readonly number[], share: number): number {
  const place = share * (sorted.length - 1);
  const at = Math.floor(place);
  const low = sorted[at] ?? 0;
  const high = sorted[Math.min(at + 1, sorted.length - 1)] ?? low;
  return low + (place - at) * (high - low);
}

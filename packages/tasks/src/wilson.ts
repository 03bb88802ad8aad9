/** A confidence interval of a share, both ends in [0, 1]. */
export interface Interval {
  readonly low: number;
  readonly high: number;
}

/**
 * The Wilson score interval of `passed` out of `total` (Wilson 1927), which stays inside [0, 1] and is usable for small samples.
 *
 * @param z standard normal quantile; default 1.96 for 95 %.
 * @returns [0, 1] for an empty sample.
 * @throws RangeError when `passed` and `total` are not counts with passed ≤ total.
 * @example
 * wilson(24, 30); // { low: 0.627, high: 0.905 }
 */
export function wilson(passed: number, total: number, z = 1.959963984540054): Interval {
  if (!Number.isInteger(passed) || !Number.isInteger(total) || passed < 0 || passed > total) {
    throw new RangeError(`wilson(${passed}, ${total}): counts with 0 ≤ passed ≤ total are needed`);
  }
  if (total === 0) return { low: 0, high: 1 };
  const share = passed / total;
  const spread = 1 + z ** 2 / total;
  const centre = (share + z ** 2 / (2 * total)) / spread;
  const half = (z / spread) * Math.sqrt((share * (1 - share)) / total + z ** 2 / (4 * total ** 2));
  return { low: passed === 0 ? 0 : centre - half, high: passed === total ? 1 : centre + half };
}

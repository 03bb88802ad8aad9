/** The value below which the share (0 to 1) of the others lies. */
export function quantile(values, share) {
  const sorted = [...values].sort((a, b) => a - b);
  const at = share * (sorted.length - 1);
  const low = sorted[Math.floor(at)];
  return low + (sorted[Math.ceil(at)] - low) * (at - Math.floor(at));
}

/** The middle value. */
export function median(values) {
  return quantile(values, 0.5);
}

/** The arithmetic mean. */
export function mean(values) {
  return values.reduce((sum, value) => sum + value, 0) / values.length;
}

/** Two-sided 95 % points of Student's t, by degrees of freedom from 1; beyond the table that of the normal is near enough. */
const student = [12.71, 4.3, 3.18, 2.78, 2.57, 2.45, 2.36, 2.31, 2.26, 2.23, 2.2, 2.18, 2.16, 2.14, 2.13, 2.12, 2.11, 2.1, 2.09, 2.09];

/**
 * Fits cost ∝ size^exponent by least squares on logarithms.
 *
 * @param points one `{ size, cost }` a measurement, of at least two sizes and three points.
 * @returns the exponent and half the width of its 95 % interval.
 */
export function fitExponent(points) {
  const x = points.map(({ size }) => Math.log(size));
  const y = points.map(({ cost }) => Math.log(cost));
  const [meanX, meanY] = [mean(x), mean(y)];
  const spread = x.reduce((sum, value) => sum + (value - meanX) ** 2, 0);
  const exponent = x.reduce((sum, value, i) => sum + (value - meanX) * (y[i] - meanY), 0) / spread;
  const squares = x.reduce((sum, value, i) => sum + (y[i] - meanY - exponent * (value - meanX)) ** 2, 0);
  const freedom = points.length - 2;
  return { exponent, halfWidth: (student[freedom - 1] ?? 1.98) * Math.sqrt(squares / freedom / spread) };
}

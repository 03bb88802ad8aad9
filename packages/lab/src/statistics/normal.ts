/**
 * The standard normal distribution function Φ, from the incomplete gamma function: a series near 0 and a continued fraction in the
 * tails (Abramowitz and Stegun 1964, 7.1.6 and 7.1.14), so that tails keep their digits.
 *
 * @returns a number in [0, 1], right to about 14 digits.
 * @example
 * normalCdf(1.96); // 0.975
 */
export function normalCdf(z: number): number {
  const tail = z === 0 ? 0.5 : tailOf(Math.abs(z));
  return z > 0 ? 1 - tail : tail;
}

function tailOf(z: number): number {
  if (z < 3) return 0.5 - middleOf(z);
  const density = Math.exp(-0.5 * z * z) / Math.sqrt(2 * Math.PI);
  let fraction = z;
  for (let k = 60; k >= 1; k--) fraction = z + k / fraction;
  return density / fraction;
}

/** Φ(z) − 1/2 as a series in z. */
function middleOf(z: number): number {
  let term = z;
  let sum = z;
  for (let k = 1; k < 200 && Math.abs(term) > 1e-17 * Math.abs(sum); k++) {
    term *= (z * z) / (2 * k + 1);
    sum += term;
  }
  return (sum * Math.exp(-0.5 * z * z)) / Math.sqrt(2 * Math.PI);
}

/**
 * The quantile Φ⁻¹ of the standard normal distribution, by bisection and Newton's steps on {@link normalCdf}.
 *
 * @param p in [0, 1]; the ends give −∞ and ∞.
 * @throws RangeError when `p` is no probability.
 * @example
 * normalQuantile(0.975); // 1.959964
 */
export function normalQuantile(p: number): number {
  if (!(p >= 0 && p <= 1)) throw new RangeError(`normalQuantile(${p}): a probability is needed`);
  if (p > 0.5) return -lowerQuantile(1 - p);
  return lowerQuantile(p);
}

function lowerQuantile(p: number): number {
  if (p === 0) return Number.NEGATIVE_INFINITY;
  let low = -40;
  let high = 0;
  while (high - low > 1e-3) {
    const middle = (low + high) / 2;
    if (normalCdf(middle) < p) low = middle;
    else high = middle;
  }
  let z = (low + high) / 2;
  for (let step = 0; step < 4; step++) {
    const density = Math.exp(-0.5 * z * z) / Math.sqrt(2 * Math.PI);
    if (density > 0) z -= (normalCdf(z) - p) / density;
  }
  return z;
}

/**
 * The exact two-sided McNemar test: the chance that two systems which are equally good differ at least this much.
 *
 * Only tasks on which they disagree count; under the null each of them falls to either side with probability 1/2 (McNemar 1947,
 * with the binomial distribution instead of the chi-squared approximation).
 *
 * @param onlyA tasks that only the first system passed.
 * @param onlyB tasks that only the second system passed.
 * @returns the p-value in (0, 1]; 1 when they never disagree.
 * @throws RangeError when an argument is not a count.
 * @example
 * exactMcNemar(5, 15); // 0.0414
 */
export function exactMcNemar(onlyA: number, onlyB: number): number {
  for (const count of [onlyA, onlyB]) {
    if (!Number.isSafeInteger(count) || count < 0) throw new RangeError(`exactMcNemar(${onlyA}, ${onlyB}): counts are needed`);
  }
  const n = onlyA + onlyB;
  // In logarithms, because 2^-n underflows from n = 1075 on.
  let logTerm = -n * Math.LN2;
  let tail = Math.exp(logTerm);
  for (let i = 1; i <= Math.min(onlyA, onlyB); i++) {
    logTerm += Math.log((n - i + 1) / i);
    tail += Math.exp(logTerm);
  }
  return Math.min(1, 2 * tail);
}

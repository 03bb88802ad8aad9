/**
 * The p-values of several tests, adjusted by Holm's step-down method, in the order they were given: rejecting those at most α keeps the
 * chance of any false rejection at α or below, whatever the tests have to do with each other (Holm 1979).
 *
 * With p₍₁₎ ≤ … ≤ p₍ₘ₎ the adjusted value of rank i is max over j ≤ i of min(1, (m − j + 1) p₍ⱼ₎).
 *
 * @throws RangeError when a value is no probability.
 * @example
 * adjustHolm([0.01, 0.04, 0.03]); // [0.03, 0.06, 0.06]
 */
export function adjustHolm(pValues: readonly number[]): number[] {
  const wrong = pValues.find((p) => !(p >= 0 && p <= 1));
  if (wrong !== undefined) throw new RangeError(`adjustHolm(): ${wrong} is no probability`);
  const ranked = pValues.map((p, at) => ({ p, at })).sort((a, b) => a.p - b.p);
  const adjusted = new Array<number>(pValues.length);
  let least = 0;
  for (const [rank, { p, at }] of ranked.entries()) {
    least = Math.max(least, Math.min(1, (pValues.length - rank) * p));
    adjusted[at] = least;
  }
  return adjusted;
}

import { answersIn, letterOf, numberOf, optionOf, plainAnswer } from "@troupe/schema";

/**
 * Whether a given answer is the expected one after normalisation.
 *
 * The whole answer counts, or what follows its last marker (`answer: …`, `the answer is …`, `#### …`, `\boxed{…}`), or its last line.
 * Numbers are compared as numbers (thousands separators, currency, per cent signs and one unit word ignored), options by letter or by text, anything
 * else by its words: white space, case, quotes and the final full stop don't matter.
 *
 * @param choices the options of a choice question, in order: `A` is the first.
 * @example
 * sameAnswer("So the answer is (b).", "B"); // true
 * sameAnswer("1,200.0", "1200"); // true
 */
export function sameAnswer(given: string, expected: string, choices: readonly string[] = []): boolean {
  return answersIn(given).some((candidate) => equal(candidate, expected, choices));
}

function equal(given: string, expected: string, choices: readonly string[]): boolean {
  if (choices.length > 0) return optionOf(given, choices) === (optionOf(expected, choices) ?? Number.NaN);
  const wanted = numberOf(expected);
  if (wanted !== undefined) {
    const got = numberOf(given);
    return got !== undefined && Math.abs(got - wanted) <= 1e-9 * Math.max(1, Math.abs(wanted));
  }
  if (/^[a-z]$/i.test(expected.trim())) return letterOf(given) === expected.trim().toLowerCase();
  return plainAnswer(given) === plainAnswer(expected);
}

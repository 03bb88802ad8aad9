const marker = /(?:^|\s)(?:final )?answer(?: is)?\s*[:=]?\s+|#### *|\\boxed\{/gi;

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
  return candidates(given).some((candidate) => equal(candidate, expected, choices));
}

function candidates(text: string): string[] {
  const trimmed = text.trim();
  const last = [...trimmed.matchAll(marker)].at(-1);
  const after = last && trimmed.slice(last.index + last[0].length).split("\n")[0];
  const line = trimmed.split("\n").at(-1) ?? "";
  return after === undefined ? [trimmed, line] : [trimmed, after.replace(/\}.*$/, "")];
}

function equal(given: string, expected: string, choices: readonly string[]): boolean {
  if (choices.length > 0) return optionOf(given, choices) === (optionOf(expected, choices) ?? Number.NaN);
  const wanted = numberOf(expected);
  if (wanted !== undefined) {
    const got = numberOf(given);
    return got !== undefined && Math.abs(got - wanted) <= 1e-9 * Math.max(1, Math.abs(wanted));
  }
  if (/^[a-z]$/i.test(expected.trim())) return letterOf(given) === expected.trim().toLowerCase();
  return plain(given) === plain(expected);
}

/** The index of the option that an answer names, by its letter or by its text. */
function optionOf(answer: string, choices: readonly string[]): number | undefined {
  const byText = choices.findIndex((choice) => plain(choice) === plain(answer));
  if (byText >= 0) return byText;
  const letter = letterOf(answer);
  const index = letter === undefined ? -1 : letter.charCodeAt(0) - "a".charCodeAt(0);
  return index >= 0 && index < choices.length ? index : undefined;
}

/** The letter of `b`, `(B)`, `B.` or `B) the text of the option`. */
function letterOf(answer: string): string | undefined {
  return /^\(?([a-z])(?:[).:](?:\s.*)?)?$/is.exec(plain(answer))?.[1];
}

/** The one number of a text that holds nothing else but its unit. */
function numberOf(text: string): number | undefined {
  const bare = plain(text).replaceAll(/(?<=\d),(?=\d{3}(?!\d))/g, "");
  const found = /^[$€£]?\s*([-+]?(?:\d+\.?\d*|\.\d+)(?:e[-+]?\d+)?)\s*(?:%|\p{L}+)?$/u.exec(bare)?.[1];
  return found === undefined ? undefined : Number(found);
}

function plain(text: string): string {
  const words = text.normalize("NFKC").trim().toLowerCase().replaceAll(/\s+/g, " ");
  return words
    .replace(/\.$/, "")
    .replaceAll(/^[`"'*$]+|[`"'*$]+$/g, "")
    .trim();
}

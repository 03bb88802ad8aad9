import type { Artifact } from "./artifact.ts";

// No two parts of these patterns may take the same characters: what a model wrote can be a megabyte of one of them.
const marker = /(?:^|[\s*_])(?:final )?answer[*_]*(?: is)?\s*(?:[:=][*_]*)?\s+|#### *|\\boxed\{/gi;

/** What may be the answer in a text: what follows its last marker (`answer: …`, `#### …`, `\boxed{…}`), else its last line; before them the whole. */
export function answersIn(text: string): [whole: string, last: string] {
  const trimmed = text.trim();
  const last = [...trimmed.matchAll(marker)].at(-1);
  const after = last && trimmed.slice(last.index + last[0].length).split("\n")[0];
  const line = trimmed.split("\n").at(-1) ?? "";
  return after === undefined ? [trimmed, line] : [trimmed, after.split("}")[0] ?? ""];
}

/** The index of the option that an answer names, by its letter or by its text; of options that differ only in case, the one that is meant to the letter. */
export function optionOf(answer: string, options: readonly string[]): number | undefined {
  const toTheLetter = options.indexOf(answer);
  if (toTheLetter >= 0) return toTheLetter;
  const plain = plainAnswer(answer);
  const byText = options.findIndex((option) => plainAnswer(option) === plain);
  if (byText >= 0) return byText;
  const letter = letterOf(answer);
  const index = letter === undefined ? -1 : letter.charCodeAt(0) - "a".charCodeAt(0);
  return index >= 0 && index < options.length ? index : undefined;
}

/** The letter of `b`, `(B)`, `B.` or `B) the text of the option`. */
export function letterOf(answer: string): string | undefined {
  return /^\(?([a-z])(?:[).:](?:\s.*)?)?$/is.exec(plainAnswer(answer))?.[1];
}

/** The one number of a text that holds nothing else but its unit. */
export function numberOf(text: string): number | undefined {
  const bare = plainAnswer(text).replaceAll(/(?<=\d),(?=\d{3}(?!\d))/g, "");
  const found = /^[$€£]?\s*([-+]?(?:\d+(?:\.\d*)?|\.\d+)(?:e[-+]?\d+)?)\s*(?:%|\p{L}+)?$/u.exec(bare)?.[1];
  return found === undefined ? undefined : Number(found);
}

/** A text without what does not matter in an answer: case, width of white space, quotes and the final full stop. */
export function plainAnswer(text: string): string {
  const words = text.normalize("NFKC").trim().toLowerCase().replaceAll(/\s+/g, " ");
  return withoutMarks(words.endsWith(".") ? words.slice(0, -1) : words).trim();
}

/** A text without the quotes and marks around it; by hand, because a pattern would look at a long row of them from each of its places. */
function withoutMarks(text: string): string {
  const isMark = (at: number): boolean => "`\"'*$".includes(text.charAt(at));
  let start = 0;
  let end = text.length;
  while (start < end && isMark(start)) start++;
  while (end > start && isMark(end - 1)) end--;
  return text.slice(start, end);
}

/**
 * What two artifacts share when they give the same answer; empty when it is none. Of a text what {@link answersIn} finds counts: as an option
 * where there are options (anything else is no answer), as a number where it is one, else by its words. A choice counts like a text, everything else to the letter.
 *
 * @example
 * answerKey({ kind: "text", text: "So the answer is 1,200.0" }); // "1200"
 */
export function answerKey(artifact: Artifact, options: readonly string[] = []): string {
  if (artifact.kind === "json") return JSON.stringify(artifact.value);
  if (artifact.kind === "files") return artifact.files.length === 0 ? "" : JSON.stringify(artifact.files);
  const [whole, last] = answersIn(artifact.kind === "text" ? artifact.text : artifact.choice);
  if (options.length > 0) {
    const option = optionOf(whole, options) ?? optionOf(last, options);
    return option === undefined ? "" : plainAnswer(options[option] ?? "");
  }
  return String(numberOf(whole) ?? numberOf(last) ?? plainAnswer(last));
}

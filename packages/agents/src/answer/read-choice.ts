import { readJson } from "./read-json.ts";

/** What an answer to a choice question says. */
export interface ChoiceReading {
  /** The option as the task words it; free text when the task has no options. */
  readonly choice: string;
  /** What was said besides, shortened; empty when nothing. */
  readonly reason: string;
}

const maxReason = 600;

/**
 * Reads a choice: an `Answer: B` line, a boxed or lone letter, JSON, or an option's own words, the last one said.
 * Undefined when no option, or more than one, can be meant.
 */
export function readChoice(text: string, choices: readonly string[] | undefined): ChoiceReading | undefined {
  const said = saidAnswers(text);
  if (choices === undefined || choices.length === 0) {
    const [free] = said;
    return free === undefined ? undefined : { choice: free, reason: reasonOf(text) };
  }
  for (const one of said) {
    const choice = optionSaid(one, choices);
    if (choice !== undefined) return { choice, reason: reasonOf(text) };
  }
  const mentioned = choices.filter((choice) => choice.length > 1 && plain(choice) !== "" && plain(text).includes(plain(choice)));
  const [only] = mentioned;
  return mentioned.length === 1 && only !== undefined ? { choice: only, reason: reasonOf(text) } : undefined;
}

/** The letter of an option: A, B, C … */
export function letterOf(index: number): string {
  return String.fromCharCode(65 + (index % 26));
}

/** Everything that looks like the final answer, the likeliest first. */
function saidAnswers(text: string): string[] {
  const trimmed = text.trim();
  const json = readJson(trimmed);
  const fields = typeof json === "object" && json !== null && !Array.isArray(json) ? [json["choice"], json["answer"], json["option"]] : [];
  const boxed = [...trimmed.matchAll(/\\boxed\{(?:\\text\{)?([^{}]{1,200})\}/g)].map((match) => match[1] ?? "");
  const labelled = [
    ...trimmed.matchAll(/\b(?:answer|choice|option)\b(?: is| would be)?(?:[\s:*_`"'(=]{1,10}(?:-\s+)?|-\s*)([^\n]{1,200})/gi),
  ].map((match) => match[1] ?? "");
  const lines = trimmed
    .split(/\n/)
    .map((line) => line.trim())
    .filter((line) => line !== "");
  const ends = lines.length === 0 ? [] : [lines.at(-1) ?? "", lines[0] ?? ""];
  return [...fields.filter((field) => typeof field === "string"), ...boxed.reverse(), ...labelled.reverse(), ...ends]
    .map((one) => one.replace(/^[\s*_`"'([:<]+|[\s*_`"'\].>]+$/g, ""))
    .filter((one) => one !== "");
}

/**
 * The option that words name, by its letter or its text. Options are shown with letters, so a lone letter is one, even where it is the text
 * of another option; only where all options are single characters it is the text.
 */
export function optionSaid(said: string, choices: readonly string[]): string | undefined {
  const verbatim = choices.find((choice) => choice.length > 1 && choice === said);
  if (verbatim !== undefined) return verbatim;
  // Options such as 2.5 and -2.5 have the same plain words: these name none of them.
  const alike = plain(said) === "" ? [] : choices.filter((choice) => plain(choice) === plain(said));
  const only = alike.length === 1 ? alike[0] : undefined;
  const isWord = only !== undefined && (only.length > 1 || areLetters(choices));
  return isWord ? only : (byLetter(said, choices) ?? only ?? byBeginning(said, choices));
}

function byLetter(said: string, choices: readonly string[]): string | undefined {
  const letter = /^([A-Za-z])(?:[).:\]*_\s,>]|$)/.exec(said)?.[1];
  // A lower-case "a" followed by words is an article, not an option.
  if (letter === undefined || (letter !== letter.toUpperCase() && said.length > 2)) return undefined;
  const byText = areLetters(choices) ? choices.find((choice) => plain(choice) === letter.toLowerCase()) : undefined;
  return byText ?? choices[letter.toUpperCase().charCodeAt(0) - 65];
}

function byBeginning(said: string, choices: readonly string[]): string | undefined {
  const inside = choices.filter((choice) => choice.length > 1 && plain(choice) !== "" && plain(said).startsWith(plain(choice)));
  return inside.sort((a, b) => b.length - a.length)[0];
}

/** Whether options are single characters, which need no letters of their own. */
export function areLetters(choices: readonly string[]): boolean {
  return choices.every((choice) => choice.length === 1);
}

/** What an answer says before its last line, where that only gives the answer. */
function reasonOf(text: string): string {
  const lines = text.trim().split("\n");
  const isAnswer = /^[\s*_#]*(?:the )?(?:final )?answer\b/i.test(lines.at(-1) ?? "");
  const reason = (isAnswer ? lines.slice(0, -1) : lines).join("\n").trim();
  return reason.length <= maxReason ? reason : `${reason.slice(0, maxReason)} […]`;
}

function plain(text: string): string {
  return text
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]+/gu, " ")
    .trim();
}

import type { YAMLError } from "yaml";
import type { ProblemText } from "./place.ts";
import { quote } from "./quote.ts";

/**
 * Says what a parser's error means to the person who wrote the file.
 *
 * @param line The source line that the error is on.
 * @param rest What of it stands at the error and behind it.
 */
export function explainSyntax(error: YAMLError, line: string, rest: string): ProblemText {
  if (/^\s*-\s*\[[^\]]*\]\s*->/.test(line)) return bracketFirst;
  const known = texts[error.code];
  const [, key] = error.code === "DUPLICATE_KEY" ? (/^["']?([^:"']+)/.exec(rest) ?? []) : [];
  if (key !== undefined) return { ...known, message: `the key ${quote(key.trim())} stands twice in the same mapping` };
  if (known !== undefined) return known;
  const message = error.message.replace(/\s+/g, " ");
  return { message: `not valid YAML: ${message.charAt(0).toLowerCase()}${message.slice(1)}` };
}

const bracketFirst: ProblemText = {
  message: "YAML takes the bracket at the beginning for a list of its own",
  hint: 'put the edge in quotes, "[a, b] -> c", or leave the brackets out: a, b -> c',
};

const texts: Partial<Record<YAMLError["code"], ProblemText>> = {
  TAB_AS_INDENT: { message: "a tab is used for indentation", expected: "spaces: YAML does not allow tabs there" },
  DUPLICATE_KEY: { message: "this key stands twice in the same mapping", expected: "each key once" },
  MULTIPLE_DOCS: { message: "the file holds more than one document", expected: "one document: no second `---`" },
  NON_STRING_KEY: { message: "a list or mapping is used as a key", expected: "text as a key" },
  TAG_RESOLVE_FAILED: { message: "YAML tags mean nothing here", expected: "a plain value without `!`" },
  BLOCK_AS_IMPLICIT_KEY: {
    message: "a second `:` in a line, or a line that is indented too far",
    hint: "put text that holds `: ` in quotes, and keys of one mapping in the same column",
  },
};

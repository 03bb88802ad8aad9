import { CST, Lexer } from "yaml";
import type { ProblemText } from "./place.ts";

const mostFlow = 100;
const mostColumns = 200;

/**
 * Refuses text that nests so deeply that a parser by recursion would run out of stack, which no program survives.
 * It reads tokens only. A block can't be nested deeper than its column, so the column is what is bounded there.
 *
 * @returns the offset of the first token that is too deep, and what to say.
 */
export function checkNesting(text: string): { offset: number; fault: ProblemText } | undefined {
  let flow = 0;
  let offset = 0;
  let lineStart = 0;
  let atLineStart = true;
  let isScalar = false;
  for (const token of new Lexer().lex(text)) {
    const kind: string | null = isScalar ? "scalar" : CST.tokenType(token);
    isScalar = token === CST.SCALAR;
    if (kind === "flow-seq-start" || kind === "flow-map-start") flow++;
    if (kind === "flow-seq-end" || kind === "flow-map-end") flow--;
    const opens = atLineStart || kind === "seq-item-ind" || kind === "explicit-key-ind";
    const blank = kind === "space" || kind === "newline" || kind === "comment";
    if (flow > mostFlow || (opens && !blank && offset - lineStart > mostColumns)) return { offset, fault: tooDeep };
    if (!isMark(token)) offset += token.length;
    if (kind !== "space") atLineStart = kind === "newline";
    if (kind === "newline") lineStart = offset;
  }
  return undefined;
}

const tooDeep: ProblemText = {
  message: "the file is nested too deeply",
  expected: `at most ${mostFlow} brackets within each other, and an indentation of at most ${mostColumns} columns`,
};

/** The lexer's own marks, which are not part of the text. */
function isMark(token: string): boolean {
  return token === CST.SCALAR || token === CST.DOCUMENT || token === CST.FLOW_END;
}

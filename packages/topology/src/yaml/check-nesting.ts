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
  let lineStart = 0;
  let isLineStart = true;
  for (const { kind, offset, length } of readTokens(text)) {
    flow += flowStep[kind] ?? 0;
    const opensBlock = (isLineStart && !blanks.has(kind)) || kind === "seq-item-ind" || kind === "explicit-key-ind";
    if (flow > mostFlow || (opensBlock && offset - lineStart > mostColumns)) return { offset, fault: tooDeep };
    if (kind !== "space") isLineStart = kind === "newline";
    if (kind === "newline") lineStart = offset + length;
  }
  return undefined;
}

interface LocatedToken {
  readonly kind: string;
  readonly offset: number;
  readonly length: number;
}

const flowStep: Record<string, number> = { "flow-seq-start": 1, "flow-map-start": 1, "flow-seq-end": -1, "flow-map-end": -1 };
const blanks = new Set(["space", "newline", "comment"]);

/** The lexer's tokens with their places, without the marks that it adds of its own; such a mark comes before each scalar. */
function* readTokens(text: string): Generator<LocatedToken> {
  let offset = 0;
  let isScalar = false;
  for (const token of new Lexer().lex(text)) {
    const isMark = token === CST.SCALAR || token === CST.DOCUMENT || token === CST.FLOW_END;
    if (!isMark) {
      yield { kind: isScalar ? "scalar" : (CST.tokenType(token) ?? ""), offset, length: token.length };
      offset += token.length;
    }
    isScalar = token === CST.SCALAR;
  }
}

const tooDeep: ProblemText = {
  message: "the file is nested too deeply",
  expected: `at most ${mostFlow} brackets within each other, and an indentation of at most ${mostColumns} columns`,
};

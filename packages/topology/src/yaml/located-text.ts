import type { Problem } from "@troupe/schema";
import { LineCounter } from "yaml";
import { excerptOf } from "./excerpt.ts";
import type { ProblemText } from "./place.ts";

/** Offsets into a text: the start, and the end of what is meant. */
export type TextRange = readonly [start: number, end: number];

/** A file's text that knows its lines. */
export interface LocatedText {
  readonly text: string;
  /** Line and column, from 1. */
  position(offset: number): { line: number; column: number };
  /** The line's text, without its end. */
  line(number: number): string;
  problem(range: TextRange, fault: ProblemText): Problem;
}

/** Finds lines and columns in a text. */
export function locateText(file: string, text: string): LocatedText {
  const counter = new LineCounter();
  counter.addNewLine(0);
  for (let at = text.indexOf("\n"); at >= 0; at = text.indexOf("\n", at + 1)) counter.addNewLine(at + 1);
  const line = (number: number): string => {
    const start = counter.lineStarts[number - 1] ?? 0;
    return text.slice(start, (counter.lineStarts[number] ?? text.length + 1) - 1).replace(/\r$/, "");
  };
  const position = (offset: number) => {
    const { line: number, col } = counter.linePos(offset);
    return { line: number, column: col };
  };
  const problem = ([start, end]: TextRange, fault: ProblemText): Problem => {
    const place = position(start);
    return { file, ...place, excerpt: excerptOf(line(place.line), { ...place, length: end - start }), severity: "error", ...fault };
  };
  return { text, position, line, problem };
}

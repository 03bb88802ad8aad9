import type { Problem } from "@troupe/schema";
import { maxLineBytes, problemAt, type SetLines } from "./set-lines.ts";

/** Reads JSON Lines: one object a line, blank lines allowed. */
export function readJsonLines(text: string, file: string): SetLines {
  const read: SetLines = { lines: [], problems: [] };
  for (const [index, source] of text.split("\n").entries()) {
    if (source.trim() === "") continue;
    const one = readLine(source);
    if ("value" in one) read.lines.push({ line: index + 1, value: one.value });
    else read.problems.push({ ...problemAt(file, index + 1, one.message), ...one });
  }
  return read;
}

type LineProblem = Pick<Problem, "message"> & Partial<Pick<Problem, "column" | "expected">>;

const oneObject = 'one JSON object a line, such as {"id": "sum", "prompt": "What is 17 * 23?"}';

function readLine(source: string): { value: Record<string, unknown> } | LineProblem {
  if (Buffer.byteLength(source) > maxLineBytes) return { message: `The line is longer than ${maxLineBytes / 1024 / 1024} MiB.` };
  try {
    const value: unknown = JSON.parse(source);
    return isObject(value) ? { value } : { message: "The line is not a JSON object.", expected: oneObject };
  } catch (error) {
    return { ...whereBroken(source, error), expected: oneObject };
  }
}

/** The parser's own words differ from version to version; only the place is taken from them: as a position, or as what stands around it. */
function whereBroken(source: string, error: unknown): LineProblem {
  const said = error instanceof Error ? error.message : "";
  const position = /position (\d+)/.exec(said)?.[1];
  const at = Number(position ?? 0);
  const { length } = source.trimEnd();
  if (at >= length || /unexpected end/i.test(said)) return { message: "The line is not JSON: it ends too early.", column: length };
  const around = /, (?:\.\.\.)?"([\s\S]*)"(?:\.\.\.)? is not valid JSON$/.exec(said)?.[1];
  const near = position === undefined ? around : source.slice(Math.max(0, at - 10), at + 20);
  return { message: `The line is not JSON${near === undefined ? "" : `: it can't be read near \`${harmless(near)}\``}.`, column: at + 1 };
}

/** Nothing in it is a command to a terminal. */
function harmless(text: string): string {
  return text.replaceAll(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu, " ").trim();
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

import type { Problem } from "@troupe/schema";

/** The most bytes that one line of a task set may have. */
export const maxLineBytes = 4 * 1024 * 1024;

/** One line that holds a JSON object. */
export interface JsonLine {
  /** From 1. */
  readonly line: number;
  readonly value: Record<string, unknown>;
}

/**
 * Reads JSON Lines: one object a line, blank lines and a byte order mark allowed.
 *
 * @param file the name that problems carry.
 * @returns the lines that could be read, and a problem for each one that could not.
 */
export function readJsonLines(bytes: Uint8Array, file: string): { lines: JsonLine[]; problems: Problem[] } {
  const text = decode(bytes);
  if (text === undefined) return { lines: [], problems: [problemAt(file, 1, "The file is binary, not UTF-8 text.")] };
  const lines: JsonLine[] = [];
  const problems: Problem[] = [];
  for (const [index, source] of text.split("\n").entries()) {
    if (source.trim() === "") continue;
    const read = readLine(source);
    if ("value" in read) lines.push({ line: index + 1, value: read.value });
    else problems.push({ ...problemAt(file, index + 1, read.message), column: read.column });
  }
  if (lines.length === 0 && problems.length === 0) problems.push(problemAt(file, 1, "The file is empty."));
  return { lines, problems };
}

/** A problem of a line as a whole. */
export function problemAt(file: string, line: number, message: string): Problem {
  return { file, line, column: 1, message, excerpt: "", severity: "error" };
}

function decode(bytes: Uint8Array): string | undefined {
  if (bytes.includes(0)) return undefined;
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(bytes);
  } catch {
    return undefined;
  }
}

function readLine(source: string): { value: Record<string, unknown> } | { message: string; column: number } {
  if (Buffer.byteLength(source) > maxLineBytes) {
    return { message: `The line is longer than ${maxLineBytes / 1024 / 1024} MiB.`, column: 1 };
  }
  try {
    const value: unknown = JSON.parse(source);
    if (isObject(value)) return { value };
    return { message: "The line is not a JSON object.", column: 1 };
  } catch (error) {
    const said = error instanceof Error ? error.message : String(error);
    const column = Number(/position (\d+)/.exec(said)?.[1] ?? 0) + 1;
    return { message: `The line is not JSON: ${said.slice(0, 120)}.`, column };
  }
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

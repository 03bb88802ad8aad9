import type { Problem } from "@troupe/schema";

/** The most bytes that one line of a task set may have. */
export const maxLineBytes = 4 * 1024 * 1024;

/** One line that holds a task: its keys and what stands under them. */
export interface SetLine {
  /** From 1; of a task that goes over several lines the first. */
  readonly line: number;
  readonly value: Record<string, unknown>;
}

/** What could be read of a task set, and a problem for each line that could not. */
export interface SetLines {
  readonly lines: SetLine[];
  readonly problems: Problem[];
}

/** A problem of a line as a whole. */
export function problemAt(file: string, line: number, message: string): Problem {
  return { file, line, column: 1, message, excerpt: "", severity: "error" };
}

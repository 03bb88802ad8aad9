import type { ErrorCode } from "./error-codes.ts";

/** One problem of a file, located so that a person finds it at once. */
export interface Problem {
  /** The file, as the user wrote it. */
  readonly file: string;
  /** Line, from 1. */
  readonly line: number;
  /** Column, from 1. */
  readonly column: number;
  /** What is wrong, in one sentence. */
  readonly message: string;
  /** The source line with a caret under the place, or an empty string. */
  readonly excerpt: string;
  /** What was expected there. */
  readonly expected?: string;
  /** A suggestion, such as `did you mean "rounds"?`. */
  readonly hint?: string;
  /** What kind of problem it is, for programs; absent: the file breaks its schema. */
  readonly code?: ErrorCode;
  /** `warning` does not stop anything. */
  readonly severity: "error" | "warning";
}

/** One problem as the lines that a terminal shows. */
export function formatProblem(problem: Problem): string {
  const head = `${problem.file}:${problem.line}:${problem.column}: ${problem.severity}: ${problem.message}`;
  const tail = [problem.excerpt, problem.expected && `  expected: ${problem.expected}`, problem.hint && `  hint: ${problem.hint}`];
  return [head, ...tail.filter(Boolean)].join("\n");
}

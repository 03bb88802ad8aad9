import { type Problem, TroupeError, formatProblem } from "@troupe/schema";
import type { Finding, Source } from "../yaml/place.ts";

const most = 200;

/** Problems of one source, as checks find them. */
export interface ProblemList {
  readonly source: Source;
  readonly all: readonly Problem[];
  /** Whether an error is among them. */
  readonly failed: boolean;
  /** Whether so many are known that looking for more helps nobody. */
  readonly full: boolean;
  /** Adds a problem unless the same one is known. */
  add(finding: Finding): void;
}

/** An empty list for the problems of a source. */
export function createProblemList(source: Source): ProblemList {
  const all: Problem[] = [];
  const seen = new Set<string>();
  return {
    source,
    all,
    get failed() {
      return all.some((problem) => problem.severity === "error");
    },
    get full() {
      return all.length >= most;
    },
    add: (finding) => {
      if (all.length >= most) return;
      const problem = source.problem(finding);
      const key = formatProblem(problem);
      if (!seen.has(key)) all.push(problem);
      seen.add(key);
    },
  };
}

/** The error that reports a file's problems, all of them in its message: `model_unknown` when they are about nothing else. */
export function fileInvalid(file: string, problems: readonly Problem[]): TroupeError {
  const errors = problems.filter((problem) => problem.severity === "error");
  const count = errors.length === 1 ? "1 problem" : `${errors.length} problems`;
  const message = [`${file} has ${count}:`, ...problems.map(formatProblem)].join("\n\n");
  const code = errors.length > 0 && errors.every((problem) => problem.code === "model_unknown") ? "model_unknown" : "file_invalid";
  return new TroupeError(code, message, { problems, details: { file } });
}

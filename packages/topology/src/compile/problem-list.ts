import { type Problem, TroupeError, formatProblem } from "@troupe/schema";
import type { DocumentPath, Finding, Source } from "../yaml/place.ts";

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
  /** Adds problems of another source. */
  take(problems: readonly Problem[]): void;
  /** The same list for a part of the source: paths begin there. */
  below(path: DocumentPath): ProblemList;
}

/** An empty list for the problems of a source. */
export function createProblemList(source: Source): ProblemList {
  const all: Problem[] = [];
  const seen = new Set<string>();
  const take = (problems: readonly Problem[]): void => {
    for (const problem of problems) {
      if (all.length >= most) return;
      const key = formatProblem(problem);
      if (!seen.has(key)) all.push(problem);
      seen.add(key);
    }
  };
  const listOf = (from: Source): ProblemList => ({
    source: from,
    all,
    get failed() {
      return all.some((problem) => problem.severity === "error");
    },
    get full() {
      return all.length >= most;
    },
    add: (finding) => {
      if (all.length < most) take([from.problem(finding)]);
    },
    take,
    below: (path) => listOf(partOf(from, path)),
  });
  return listOf(source);
}

function partOf(source: Source, base: DocumentPath): Source {
  return {
    file: source.file,
    mark: (path) => source.mark([...base, ...path]),
    problem: (finding) => source.problem({ ...finding, path: [...base, ...finding.path] }),
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

import type { Problem } from "@troupe/schema";

/** A path into a document: keys and indices from its root. */
export type DocumentPath = readonly (string | number)[];

/** A place in a document, as exact as it is known. */
export interface Spot {
  readonly path: DocumentPath;
  /** Point at the key of the pair instead of its value; default: the value. */
  readonly on?: "key" | "value";
  /** Characters into the text that stands at `path`. */
  readonly offset?: number;
  /** Characters to underline from `offset` on. */
  readonly length?: number;
}

/** What a problem says besides its place. */
export type ProblemText = Pick<Problem, "message"> & Partial<Pick<Problem, "expected" | "hint" | "severity" | "code">>;

/** A problem that has not been located yet. */
export type Finding = Spot & ProblemText;

/** A document that can say where things stand in it: a YAML file, or a plain object. */
export interface Source {
  /** The file, as the user wrote it, or a name for the object. */
  readonly file: string;
  /** Makes a located problem. */
  problem(finding: Finding): Problem;
  /** How a message refers to a place: `line 7` in a file, `edges[2]` in an object. */
  mark(path: DocumentPath): string;
}

/**
 * A path as people write it.
 *
 * @example
 * formatPath(["edges", 2, "from"]); // "edges[2].from"
 */
export function formatPath(path: DocumentPath): string {
  return path.reduce<string>((out, part) => (typeof part === "number" ? `${out}[${part}]` : out === "" ? part : `${out}.${part}`), "");
}

/** A source for a plain object: problems are at line 1 and name the path in the object. */
export function objectSource(name: string): Source {
  return {
    file: name,
    mark: (path) => formatPath(path),
    problem: ({ path, on, offset, length, ...text }) => ({
      file: name,
      line: 1,
      column: 1,
      excerpt: path.length === 0 ? "" : `  at ${formatPath(path)}`,
      severity: "error",
      ...text,
    }),
  };
}

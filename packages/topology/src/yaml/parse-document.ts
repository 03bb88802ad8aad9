import type { Problem } from "@troupe/schema";
import { type Document, parseDocument as parseYaml } from "yaml";
import { checkAliases } from "./check-aliases.ts";
import { checkNesting } from "./check-nesting.ts";
import { decodeText } from "./decode-text.ts";
import { type LocatedText, locateText } from "./located-text.ts";
import { rangeOf } from "./node-range.ts";
import { type DocumentPath, objectSource, type ProblemText, type Source } from "./place.ts";
import { explainSyntax } from "./syntax-problem.ts";

/** A YAML file as it was read. */
export interface YamlFile {
  /** As the user wrote it. */
  readonly path: string;
  readonly text: string | Uint8Array;
}

/** A YAML file as plain data that knows where its parts stand. */
export interface ParsedDocument {
  readonly source: Source;
  /** Line and column, from 1, of what stands at a path; of the mapping that lacks it when it is not there. */
  locate(path: DocumentPath): { line: number; column: number };
  readonly problems: readonly Problem[];
  /** Plain data; undefined when the file can't be read as one. */
  readonly raw: unknown;
}

/** Reads YAML text into plain data. Whatever is wrong with the file is a problem, never a throw. */
export function parseDocument(file: YamlFile): ParsedDocument {
  const decoded = decodeText(file.text);
  if ("fault" in decoded) return unreadable(file.path, decoded.fault);
  const text = locateText(file.path, decoded.text);
  const deep = checkNesting(text.text);
  if (deep !== undefined) {
    return { ...unreadable(file.path, deep.fault), problems: [text.problem([deep.offset, deep.offset + 1], deep.fault)] };
  }
  const document = parseYaml(text.text, { prettyErrors: false, stringKeys: true, logLevel: "error" });
  const syntax = syntaxProblems(document, text);
  if (document.contents === null && syntax.length === 0) return unreadable(file.path, { message: "the file is empty: it holds no value" });
  const aliases = checkAliases(document).map(({ node, fault }) => text.problem([node.range?.[0] ?? 0, node.range?.[1] ?? 0], fault));
  const usable = aliases.length === 0 && document.errors.every((error) => error.code === "DUPLICATE_KEY");
  return { ...locateIn(document, text, file.path), problems: [...syntax, ...aliases], raw: usable ? document.toJS() : undefined };
}

function locateIn(document: Document, text: LocatedText, file: string): Pick<ParsedDocument, "source" | "locate"> {
  const locate = (path: DocumentPath) => text.position(rangeOf(document, { path }, text.text)[0]);
  const source: Source = {
    file,
    mark: (path) => `line ${locate(path).line}`,
    problem: (finding) => {
      const { path, on, offset, length, ...fault } = finding;
      return text.problem(rangeOf(document, finding, text.text), fault);
    },
  };
  return { source, locate };
}

/** The first syntax error of each line: those after it are mostly its consequences. */
function syntaxProblems(document: Document, text: LocatedText): Problem[] {
  const byLine = new Map<number, Problem>();
  for (const error of [...document.errors, ...document.warnings]) {
    const { line, column } = text.position(error.pos[0]);
    if (byLine.has(line)) continue;
    const written = text.line(line);
    byLine.set(line, text.problem(error.pos, explainSyntax(error, written, written.slice(column - 1))));
  }
  return [...byLine.values()];
}

function unreadable(path: string, fault: ProblemText): ParsedDocument {
  const source = objectSource(path);
  return { source, locate: () => ({ line: 1, column: 1 }), problems: [source.problem({ path: [], ...fault })], raw: undefined };
}

import type { Problem } from "@troupe/schema";
import type { z } from "zod";
import { explainIssues } from "./explain-issues.ts";
import { viewSchema } from "./json-schema-view.ts";
import { type ParsedDocument, parseDocument, type YamlFile } from "./parse-document.ts";
import type { Source } from "./place.ts";

const mostIssues = 200;

/** What a YAML file holds, by a schema. */
export interface YamlReading<T> extends Pick<ParsedDocument, "locate" | "raw" | "source"> {
  /** The checked value; undefined exactly when there are problems. */
  readonly value: T | undefined;
  /** All problems of the file, in its order. */
  readonly problems: readonly Problem[];
}

/**
 * Reads a YAML file strictly by a schema, and says of everything that is wrong where it stands and what to write instead.
 *
 * Refused besides what breaks the schema: files that are empty, binary, larger than 1 MB or nested too deeply, duplicate keys,
 * tabs as indentation, several documents, tags, and aliases that expand beyond bounds.
 *
 * @example
 * const { value, problems } = readYaml(agentCard, { path: "agents/tester.yaml", text });
 */
export function readYaml<S extends z.ZodType>(schema: S, file: YamlFile): YamlReading<z.output<S>> {
  const { raw, source, locate, problems } = parseDocument(file);
  if (raw === undefined) return { value: undefined, problems: inOrder(problems), locate, raw, source };
  const { value, found } = checkValue(schema, raw, source);
  const all = inOrder([...problems, ...found]);
  return { value: all.length === 0 ? value : undefined, problems: all, locate, raw, source };
}

/** Checks plain data by a schema; the problems are located by its source. */
export function checkValue<S extends z.ZodType>(
  schema: S,
  raw: unknown,
  source: Source,
): { value: z.output<S> | undefined; found: Problem[] } {
  const parsed = schema.safeParse(raw);
  if (parsed.success) return { value: parsed.data, found: [] };
  const findings = explainIssues(parsed.error.issues.slice(0, mostIssues), { value: raw, schema: viewSchema(schema) });
  return { value: undefined, found: findings.map((finding) => source.problem(finding)) };
}

/** Problems in the order of the file. */
export function inOrder(problems: readonly Problem[]): Problem[] {
  const once = new Map(problems.map((one) => [JSON.stringify([one.file, one.line, one.column, one.message, one.expected]), one]));
  return [...once.values()].sort((a, b) => a.line - b.line || a.column - b.column);
}

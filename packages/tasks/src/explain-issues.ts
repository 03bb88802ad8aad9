import type { Problem } from "@troupe/schema";
import { z } from "zod";
import { problemAt } from "./set-lines.ts";

type Issue = z.core.$ZodIssue;
type View = z.core.JSONSchema.BaseSchema;
type Path = readonly PropertyKey[];

type Finding = Pick<Problem, "message" | "expected">;

/** A value that was read, and what it was checked against. */
export interface Checked {
  readonly value: unknown;
  readonly schema: z.ZodType;
}

/** What a schema found wrong with a value, in words for the person who wrote it, as problems of one line. */
export function explainIssues(issues: readonly Issue[], { value, schema }: Checked, file: string, line: number): Problem[] {
  const view = z.toJSONSchema(schema, { io: "input", unrepresentable: "any" });
  return issues.flatMap((issue) => explainIssue(issue, value, view)).map((finding) => ({ ...problemAt(file, line, ""), ...finding }));
}

function explainIssue(issue: Issue, whole: unknown, root: View): Finding[] {
  const { path } = issue;
  const value = valueAt(whole, path);
  const { view, of } = viewAt(root, path, whole);
  if (issue.code === "unrecognized_keys") {
    const expected = `one of ${quotedList(Object.keys(of?.properties ?? {}))}`;
    return issue.keys.map((key) => ({ message: `The key ${quoted(key)}${inside(path)} is not known.`, expected }));
  }
  if (value === undefined && path.length > 0) {
    const message = `The key ${quoted(String(path.at(-1)))}${inside(path.slice(0, -1))} is missing.`;
    return [{ message, ...expectedOf(view) }];
  }
  if (issue.code === "custom") return [{ message: `${where(path)} ${issue.message}.` }];
  return [{ message: `${where(path)} is ${named(value)}.`, ...(kindsOf(issue) ?? expectedOf(view)) }];
}

/** What may stand under the key that tells the members of a union apart. */
function kindsOf(issue: Issue): Pick<Finding, "expected"> | undefined {
  const kinds = issue.code === "invalid_union" && "options" in issue ? (issue.options ?? []) : [];
  return kinds.length === 0 ? undefined : { expected: `one of ${quotedList(kinds.map(String))}` };
}

function valueAt(value: unknown, path: Path): unknown {
  return path.reduce<unknown>((inner, key) => (isMapping(inner) && Object.hasOwn(inner, key) ? inner[key] : undefined), value);
}

/** The part of a schema that a path leads to, and its member that the value there is meant to be. */
function viewAt(root: View, path: Path, value: unknown): { view: View | undefined; of: View | undefined } {
  let view: View | undefined = root;
  let inner = value;
  for (const key of path) {
    const here: View | undefined = memberFor(view, inner);
    const next: unknown = typeof key === "number" ? here?.items : here?.properties?.[String(key)];
    view = isMapping(next) ? next : undefined;
    inner = valueAt(inner, [key]);
  }
  return { view, of: memberFor(view, inner) };
}

/** The member of a union whose fixed values a value has; else the first one. */
function memberFor(view: View | undefined, value: unknown): View | undefined {
  const members = membersOf(view);
  const fits = (member: View) =>
    Object.entries(member.properties ?? {}).some(
      ([key, inner]) => isMapping(inner) && inner["const"] !== undefined && inner["const"] === valueAt(value, [key]),
    );
  return members.find(fits) ?? members[0];
}

function membersOf(view: View | undefined): View[] {
  const members = [...(view?.anyOf ?? []), ...(view?.oneOf ?? [])].filter(isMapping);
  return members.length === 0 && view !== undefined ? [view] : members;
}

function expectedOf(view: View | undefined): Pick<Finding, "expected"> {
  if (view === undefined) return {};
  const words = [...new Set(membersOf(view).map(wordsFor))].join(", or ");
  return { expected: view.description === undefined ? words : `${words} (${view.description})` };
}

function wordsFor(view: View): string {
  if (view.const !== undefined) return quoted(String(view.const));
  if (view.enum !== undefined) return `one of ${quotedList(view.enum.map(String))}`;
  switch (view.type) {
    case "string":
      return `text${view.pattern === undefined ? (view.minLength === undefined ? "" : ", not empty") : ` that matches ${view.pattern}`}`;
    case "integer":
      return "a whole number";
    case "number":
      return "a number";
    case "boolean":
      return "true or false";
    case "array":
      return view.minItems === undefined ? "a list" : `a list of at least ${view.minItems}`;
    case "object":
      return "an object";
    default:
      return "another value";
  }
}

function inside(path: Path): string {
  return path.length === 0 ? "" : ` in ${where(path)}`;
}

/** A path as people write it: `files[0].path`. */
function where(path: Path): string {
  if (path.length === 0) return "What stands here";
  return path.reduce<string>(
    (out, key) => (typeof key === "number" ? `${out}[${key}]` : `${out}${out === "" ? "" : "."}${String(key)}`),
    "",
  );
}

function named(value: unknown): string {
  if (value === null) return "null";
  if (Array.isArray(value)) return value.length === 0 ? "an empty list" : `a list of ${value.length}`;
  if (typeof value === "string") return quoted(value);
  return typeof value === "number" || typeof value === "boolean" ? String(value) : "an object";
}

const longest = 60;

/** Short, and with nothing in it that a terminal obeys. */
function quoted(text: string): string {
  const shown = text.length > longest ? `${text.slice(0, longest)}…` : text;
  return JSON.stringify(shown).replaceAll(/[\u007f-\u009f\u2028-\u202e\u2066-\u2069]/g, " ");
}

function quotedList(words: readonly string[]): string {
  return words.map(quoted).join(", ");
}

function isMapping(value: unknown): value is Record<PropertyKey, unknown> {
  return typeof value === "object" && value !== null;
}

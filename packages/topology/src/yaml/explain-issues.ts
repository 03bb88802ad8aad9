import type { z } from "zod";
import { chooseMember } from "./choose-member.ts";
import { didYouMean, nearest } from "./did-you-mean.ts";
import { describeSchema, keysOf, memberFor, type SchemaView, schemaAt, valueAt } from "./json-schema-view.ts";
import { type DocumentPath, type Finding, formatPath } from "./place.ts";
import { quote, quoteList } from "./quote.ts";

type Issue = z.core.$ZodIssue;

/** A value that was checked, and what it was checked against. */
export interface Checked {
  readonly value: unknown;
  readonly schema: SchemaView;
}

/** Says what zod's issues mean to the person who wrote the file, each with its place. */
export function explainIssues(issues: readonly Issue[], checked: Checked, base: DocumentPath = []): Finding[] {
  return issues.flatMap((issue) => explainIssue(issue, [...base, ...toDocumentPath(issue.path)], checked));
}

function explainIssue(issue: Issue, path: DocumentPath, checked: Checked): Finding[] {
  if (issue.code === "invalid_union" && issue.errors.length === 0)
    return [wrongKind(path, "options" in issue ? (issue.options ?? []) : [], checked)];
  if (path.length > 0 && valueAt(checked.value, path) === undefined) return [missing(path, checked)];
  switch (issue.code) {
    case "unrecognized_keys":
      return issue.keys.map((key) => unknownKey(path, key, checked));
    case "invalid_union": {
      const chosen = chooseMember(issue.errors, path, checked);
      return chosen === undefined ? [unfit(path, checked)] : explainIssues(chosen, checked, path);
    }
    case "invalid_key":
      return [{ path, on: "key", message: `${quote(path.at(-1))} can't be a name here`, ...keyExpected(path, checked) }];
    case "custom":
      return [{ path, message: `${subject(path)} ${issue.message}` }];
    default:
      return [unfit(path, checked)];
  }
}

function missing(path: DocumentPath, checked: Checked): Finding {
  const parent = path.slice(0, -1);
  const message = `${quote(path.at(-1))} is missing${parent.length === 0 ? "" : ` in ${formatPath(parent)}`}`;
  return { path, message, ...expected(path, checked) };
}

/** The key that tells the members of a union apart is missing or names none of them. */
function wrongKind(path: DocumentPath, kinds: readonly unknown[], checked: Checked): Finding {
  const value = valueAt(checked.value, path);
  const words = kinds.map(String);
  const options = { expected: `one of ${quoteList(words, 30)}` };
  if (value === undefined) return { ...missing(path, checked), ...options };
  return { path, message: `${subject(path)} is ${quote(value)}`, ...options, ...suggest(value, words) };
}

function unfit(path: DocumentPath, checked: Checked): Finding {
  const value = valueAt(checked.value, path);
  const options = optionsAt(path, checked);
  return { path, message: `${subject(path)} is ${quote(value)}`, ...expected(path, checked), ...suggest(value, options) };
}

function suggest(value: unknown, words: readonly string[]): { hint?: string } {
  return typeof value === "string" ? didYouMean(value, words) : {};
}

function unknownKey(path: DocumentPath, key: string, checked: Checked): Finding {
  const keys = keysOf(memberAt(path, checked));
  const near = didYouMean(key, keys);
  return {
    path: [...path, key],
    on: "key",
    message: `unknown key ${quote(key)}${path.length === 0 ? "" : ` in ${formatPath(path)}`}`,
    expected: `one of ${quoteList(keys, 30)}`,
    ...(near.hint === undefined ? elsewhere(key, path, checked.schema) : near),
  };
}

/** A key that is right, or nearly so, in another place: at the top, or one level below it. */
function elsewhere(key: string, path: DocumentPath, root: SchemaView): { hint?: string } {
  const atTop = path.length > 0 ? nearest(key, keysOf(root)) : undefined;
  if (atTop !== undefined) return { hint: `${quote(atTop)} belongs at the top of the file` };
  for (const place of keysOf(root)) {
    const below = nearest(key, keysOf(schemaAt(root, [place], undefined)));
    if (below !== undefined) return { hint: `${quote(below)} belongs under ${quote(place)}` };
  }
  return {};
}

function expected(path: DocumentPath, checked: Checked): { expected?: string } {
  const view = schemaAt(checked.schema, path, checked.value);
  return view === undefined ? {} : { expected: describeSchema(view) };
}

function keyExpected(path: DocumentPath, checked: Checked): { expected?: string } {
  const names = memberAt(path.slice(0, -1), checked)?.propertyNames;
  return typeof names === "object" ? { expected: describeSchema(names) } : {};
}

function memberAt(path: DocumentPath, { schema, value }: Checked): SchemaView | undefined {
  const view = schemaAt(schema, path, value);
  return view && memberFor(view, valueAt(value, path));
}

/** The words that may stand at a path. */
function optionsAt(path: DocumentPath, checked: Checked): string[] {
  return (schemaAt(checked.schema, path, checked.value)?.enum ?? []).map(String);
}

function subject(path: DocumentPath): string {
  return path.length === 0 ? "the file" : formatPath(path);
}

function toDocumentPath(path: readonly PropertyKey[]): DocumentPath {
  return path.map((part) => (typeof part === "number" ? part : String(part)));
}

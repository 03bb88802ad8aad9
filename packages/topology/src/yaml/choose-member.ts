import type { z } from "zod";
import { membersOf, type SchemaView, schemaAt, sharedKeys, valueAt } from "./json-schema-view.ts";
import type { DocumentPath } from "./place.ts";

type Issues = readonly z.core.$ZodIssue[];

/**
 * The issues of the union's member that the value was most likely meant to be.
 *
 * @param branches The issues of each member of the union, in the schema's order.
 * @returns undefined when the value resembles none of them, or several equally.
 */
export function chooseMember(
  branches: readonly Issues[],
  path: DocumentPath,
  checked: { value: unknown; schema: SchemaView },
): Issues | undefined {
  const value = valueAt(checked.value, path);
  const view = schemaAt(checked.schema, path, checked.value);
  const members = view === undefined ? [] : membersOf(view);
  const scored = branches
    .map((issues, i) => ({ issues, score: likeness(members[i], value) }))
    .filter(({ issues }) => !issues.some((issue) => issue.code === "invalid_type" && issue.path.length === 0))
    .sort((a, b) => b.score - a.score);
  const [best, second] = scored;
  return best === undefined || best.score === second?.score ? undefined : best.issues;
}

function likeness(member: SchemaView | undefined, value: unknown): number {
  return member === undefined ? 0 : sharedKeys(member, value);
}

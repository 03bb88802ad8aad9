import { z } from "zod";
import type { DocumentPath } from "./place.ts";
import { quoteList } from "./quote.ts";

/** What a zod schema accepts, as the JSON Schema that zod prints. */
export type SchemaView = z.core.JSONSchema.BaseSchema;

/** The JSON Schema of what a user writes. */
export function viewSchema(schema: z.ZodType): SchemaView {
  return z.toJSONSchema(schema, { io: "input", unrepresentable: "any" });
}

/** The part of a schema that a path of a value falls under; through a union the way leads by the member nearest to the value. */
export function schemaAt(root: SchemaView, path: DocumentPath, value: unknown): SchemaView | undefined {
  let view: SchemaView | undefined = root;
  let inner = value;
  for (const part of path) {
    if (view === undefined) return undefined;
    const here: SchemaView = memberFor(view, inner);
    const rest = typeof part === "number" ? here.items : (here.properties?.[part] ?? here.additionalProperties);
    view = isView(rest) ? rest : undefined;
    inner = ownValue(inner, part);
  }
  return view;
}

/** The value at a path, own properties only. */
export function valueAt(value: unknown, path: DocumentPath): unknown {
  return path.reduce<unknown>(ownValue, value);
}

/** The keys that a mapping may have. */
export function keysOf(view: SchemaView | undefined): string[] {
  return Object.keys(view?.properties ?? {});
}

/** How many keys of a mapping a schema knows. */
export function sharedKeys(view: SchemaView, value: unknown): number {
  if (typeof value !== "object" || value === null) return 0;
  return Object.keys(value).filter((key) => Object.hasOwn(view.properties ?? {}, key)).length;
}

/** The members of a union, or the schema itself. */
export function membersOf(view: SchemaView): SchemaView[] {
  const members = [...(view.anyOf ?? []), ...(view.oneOf ?? [])].filter(isView);
  return members.length === 0 ? [view] : members;
}

/**
 * What a schema wants, in words.
 *
 * @example
 * describeSchema({ type: "integer", minimum: 1, description: "Number of nodes" }); // "a whole number, at least 1 (Number of nodes)"
 */
export function describeSchema(view: SchemaView): string {
  const members = membersOf(view);
  const words = members.length > 1 ? [...new Set(members.map(describeType))].join(", or ") : describeType(view);
  return view.description === undefined ? words : `${words} (${view.description})`;
}

function describeType(view: SchemaView): string {
  if (view.const !== undefined) return String(view.const);
  if (view.enum !== undefined) return `one of ${quoteList(view.enum.map(String), 30)}`;
  switch (view.type) {
    case "string":
      return view.format === "uri" ? "a URL" : view.pattern === undefined ? "text" : `text that matches ${view.pattern}`;
    case "integer":
      return `a whole number${describeRange(view)}`;
    case "number":
      return `a number${describeRange(view)}`;
    case "boolean":
      return "true or false";
    case "array":
      return `a list${view.minItems === undefined ? "" : ` of at least ${view.minItems}`}`;
    case "object":
      return describeMapping(view);
    default:
      return "any value";
  }
}

function describeMapping(view: SchemaView): string {
  const needed = view.required ?? [];
  return needed.length === 0 ? "a mapping" : `a mapping with ${quoteList(needed)}`;
}

function describeRange({ minimum, maximum, exclusiveMinimum }: SchemaView): string {
  const bounds = [
    ...(minimum === undefined ? [] : [`at least ${minimum}`]),
    ...(exclusiveMinimum === undefined ? [] : [`more than ${exclusiveMinimum}`]),
    ...(maximum === undefined || maximum === Number.MAX_SAFE_INTEGER ? [] : [`at most ${maximum}`]),
  ];
  return bounds.map((bound) => `, ${bound}`).join("");
}

/** The member of a union that resembles a value most; a schema that is no union is its own member. */
export function memberFor(view: SchemaView, value: unknown): SchemaView {
  const members = membersOf(view);
  const score = (member: SchemaView) => sharedKeys(member, value) + (hasDiscriminator(member, value) ? 1000 : 0);
  return members.reduce((best, member) => (score(member) > score(best) ? member : best));
}

function hasDiscriminator(member: SchemaView, value: unknown): boolean {
  return Object.entries(member.properties ?? {}).some(
    ([key, property]) => isView(property) && property.const !== undefined && property.const === ownValue(value, key),
  );
}

function ownValue(value: unknown, key: string | number): unknown {
  if (typeof value !== "object" || value === null || !Object.hasOwn(value, key)) return undefined;
  return (value as Record<string | number, unknown>)[key];
}

function isView(value: unknown): value is SchemaView {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

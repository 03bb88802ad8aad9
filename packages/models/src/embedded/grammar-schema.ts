import { TroupeError } from "@troupe/schema";

/** Keywords that the grammar obeys, or that say nothing about the value. */
const obeyed = new Set(
  "type properties required items prefixItems minItems maxItems minLength maxLength enum const oneOf anyOf $defs $ref additionalProperties minProperties maxProperties description title default $schema $id examples".split(
    " ",
  ),
);
/** Keywords that only narrow a value; whoever reads the answer validates it anyway. */
const narrowing = new Set(
  "minimum maximum exclusiveMinimum exclusiveMaximum multipleOf pattern format uniqueItems propertyNames contentEncoding".split(" "),
);

/**
 * Rewrites a JSON Schema into the subset that grammars express: `anyOf` becomes `oneOf`, number ranges and patterns are dropped.
 *
 * @throws TroupeError `model_refused` for a keyword that would change what the answer is, such as `allOf` or `not`.
 */
export function toGrammarSchema(schema: unknown): unknown {
  if (typeof schema !== "object" || schema === null || Array.isArray(schema)) return schema;
  const out: Record<string, unknown> = {};
  for (const [keyword, value] of Object.entries(schema)) {
    if (narrowing.has(keyword)) continue;
    if (!obeyed.has(keyword)) throw refused(`the keyword "${keyword}"`);
    if (keyword === "$ref" && !(typeof value === "string" && value.startsWith("#/$defs/"))) throw refused(`the reference ${String(value)}`);
    out[keyword === "anyOf" ? "oneOf" : keyword] = toGrammarValue(keyword, value);
  }
  return out;
}

function toGrammarValue(keyword: string, value: unknown): unknown {
  switch (keyword) {
    case "properties":
    case "$defs":
      return Object.fromEntries(Object.entries(value ?? {}).map(([name, part]) => [name, toGrammarSchema(part)]));
    case "oneOf":
    case "anyOf":
    case "prefixItems":
      return Array.isArray(value) ? value.map(toGrammarSchema) : value;
    case "items":
    case "additionalProperties":
      return toGrammarSchema(value);
    default:
      return value;
  }
}

function refused(what: string): TroupeError {
  return new TroupeError(
    "model_refused",
    `The embedded model can't keep to ${what} of the response schema. Leave it out and validate the answer.`,
  );
}

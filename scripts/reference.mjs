// Writes docs/reference/ from the schemas and the table of error codes; with --check it only says whether that would change anything.

import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { errorCodes, publicSchemas, toJsonSchema } from "@troupe/schema";
import { root } from "./bootstrap.mjs";

const folder = join(root, "docs", "reference");
const intro = "<!-- Written by `npm run reference` from the schemas; don't edit. -->\n";

/** A type in a few words, such as `list of text`. */
function typeOf(schema) {
  if (schema.const !== undefined) return `\`${JSON.stringify(schema.const)}\``;
  if (schema.enum) return schema.enum.map((value) => `\`${value}\``).join(", ");
  const options = schema.anyOf ?? schema.oneOf;
  if (options) return [...new Set(options.map(typeOf))].join(" or ");
  if (schema.type === "array") return `list of ${typeOf(schema.items ?? {})}`;
  if (schema.type === "object") return schema.properties ? "mapping" : "mapping of names";
  return schema.type === "string" ? "text" : (schema.type ?? "anything");
}

function rangeOf(schema) {
  const { least, above, most } = boundsOf(schema);
  const low = above === undefined ? least : schema.type === "integer" ? above + 1 : `> ${above}`;
  if (most !== undefined) return `, ${low ?? "up"} to ${most}`;
  if (above !== undefined) return `, above ${above}`;
  return least === undefined ? "" : `, from ${least}`;
}

/** What a number, a list's or a text's length may be; that a text must not be empty goes without saying. */
function boundsOf(schema) {
  if (schema.type !== "string")
    return { least: known(schema.minimum), above: schema.exclusiveMinimum, most: known(schema.maximum ?? schema.maxItems) };
  const { minLength = 0, maxLength } = schema;
  return minLength <= 1 && maxLength === undefined ? {} : { least: schema.minLength, most: maxLength };
}

/** A bound that somebody set, not the largest safe integer. */
function known(bound) {
  return Math.abs(bound) === Number.MAX_SAFE_INTEGER ? undefined : bound;
}

/** One row per field, the fields of nested mappings under their path. */
function rowsOf(schema, path = "") {
  const required = new Set(schema.required ?? []);
  return Object.entries(schema.properties ?? {}).flatMap(([name, field]) => {
    const at = path + name;
    const given = field.default === undefined ? (required.has(name) ? "required" : "") : `\`${JSON.stringify(field.default)}\``;
    const text = (field.description ?? "").replaceAll("|", "\\|");
    return [`| \`${at}\` | ${typeOf(field)}${rangeOf(field)} | ${given} | ${text} |`, ...nestedRows(field, at)];
  });
}

function nestedRows(field, at) {
  if (field.properties) return rowsOf(field, `${at}.`);
  if (field.type === "array") return nestedRows(field.items ?? {}, `${at}[]`);
  if (typeof field.additionalProperties === "object") return nestedRows(field.additionalProperties, `${at}.NAME`);
  const options = (field.anyOf ?? field.oneOf ?? []).filter((option) => option.properties);
  return options.flatMap((option) => {
    const form = formOf(option, options);
    return rowsOf(option, form === undefined ? `${at}.` : `${at}(${form}).`);
  });
}

/** What tells one form of a mapping from its others: its kind, or the field that only it must have. */
function formOf(option, options) {
  const kind = option.properties.kind?.const;
  if (kind !== undefined || options.length === 1) return kind;
  const others = options.filter((other) => other !== option);
  return option.required?.find((name) => others.every((other) => other.properties[name] === undefined));
}

function schemaPage(name) {
  const schema = toJsonSchema(name);
  const kinds = (schema.anyOf ?? schema.oneOf ?? []).filter((option) => option.properties);
  const head = `${intro}\n# ${name}\n\n${schema.description}. For your editor: \`troupe schema ${name}\`.\n`;
  const table = (of) => `\n| field | type | default | meaning |\n|---|---|---|---|\n${rowsOf(of).join("\n")}\n`;
  if (kinds.length === 0) return head + table(schema);
  return head + kinds.map((of) => `\n## ${of.properties.kind?.const ?? of.description}\n${table(of)}`).join("");
}

function errorsPage() {
  const rows = Object.entries(errorCodes).map(
    ([code, row]) => `| \`${code}\` | ${row.summary} | ${row.help} | ${row.retryable ? "yes" : ""} | ${row.exit} |`,
  );
  return `${intro}\n# Error codes\n\nEvery error that Troupe throws has one of these codes. Those that may pass are tried again.\n
| code | what happened | what to do | may pass | exit code |\n|---|---|---|---|---|\n${rows.join("\n")}\n`;
}

const pages = { ...Object.fromEntries(Object.keys(publicSchemas).map((name) => [name, schemaPage(name)])), errors: errorsPage() };
const check = process.argv.includes("--check");
const stale = [];
mkdirSync(folder, { recursive: true });
for (const [name, text] of Object.entries(pages)) {
  const path = join(folder, `${name}.md`);
  let current = "";
  try {
    current = readFileSync(path, "utf8");
  } catch {
    // A page that is not there yet is stale.
  }
  if (current !== text) stale.push(`docs/reference/${name}.md`);
  if (!check) writeFileSync(path, text);
}
if (check && stale.length > 0) {
  process.stderr.write(`Out of date: ${stale.join(", ")}. Run \`npm run reference\`.\n`);
  process.exitCode = 1;
}

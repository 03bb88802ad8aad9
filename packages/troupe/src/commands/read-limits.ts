import type { Limits } from "@troupe/schema";

/** Parses limits as JSON, such as `{"agents":{"reviewer":{"tokens":8000}}}`; what it throws is shown to the person. The schema is loaded only here: --help needs none. */
export async function readLimits(word: string): Promise<Limits> {
  let value: unknown;
  try {
    value = JSON.parse(word);
  } catch {
    throw new SyntaxError('it must be JSON, such as \'{"agents":{"reviewer":{"tokens":8000}}}\'');
  }
  const { limits } = await import("@troupe/schema");
  const { data, error } = limits.safeParse(value);
  if (data !== undefined) return data;
  const [first] = error.issues;
  const where = first === undefined || first.path.length === 0 ? "" : ` at ${first.path.join(".")}`;
  throw new SyntaxError(`it is no limits${where}: ${first?.message ?? ""}. See docs/reference/topology.md`);
}

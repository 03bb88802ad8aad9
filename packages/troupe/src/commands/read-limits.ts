import { type Limits, limits } from "@troupe/schema";

/** Parses limits as JSON, such as `{"agents":{"reviewer":{"tokens":8000}}}`; what it throws is shown to the person. */
export function readLimits(word: string): Limits {
  let value: unknown;
  try {
    value = JSON.parse(word);
  } catch {
    throw new SyntaxError('it must be JSON, such as \'{"agents":{"reviewer":{"tokens":8000}}}\'');
  }
  const { data, error } = limits.safeParse(value);
  if (data !== undefined) return data;
  const [first] = error.issues;
  const where = first === undefined || first.path.length === 0 ? "" : ` at ${first.path.join(".")}`;
  throw new SyntaxError(`it is no limits${where}: ${first?.message ?? ""}. See docs/reference/topology.md`);
}

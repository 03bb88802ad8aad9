/** JSON that is not checked yet. */
export interface UncheckedJson {
  readonly json: unknown;
}

/** Reads the JSON of limits; whether they are some, `limitsOf` sees, which loads the schema that `--help` must not wait for. */
export function readLimits(word: string): UncheckedJson {
  try {
    return { json: JSON.parse(word) as unknown };
  } catch {
    throw new SyntaxError('it must be JSON, such as \'{"agents":{"reviewer":{"tokens":8000}}}\'');
  }
}

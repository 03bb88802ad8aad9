/** Bounds of a whole number, both allowed. */
export interface WholeBounds {
  readonly min: number;
  readonly max?: number;
}

/**
 * A parser of whole numbers; what it throws is shown to the person.
 *
 * @example
 * wholeNumber({ min: 1 })("12"); // 12
 */
export function wholeNumber({ min, max = Number.MAX_SAFE_INTEGER }: WholeBounds): (word: string) => number {
  const range = max === Number.MAX_SAFE_INTEGER ? `from ${min} upwards` : `from ${min} to ${max}`;
  return (word) => {
    const value = /^[+-]?\d{1,17}$/.test(word.trim()) ? Number(word) : Number.NaN;
    if (value >= min && value <= max) return value;
    throw new SyntaxError(`it must be a whole number ${range}`);
  };
}

/** Parses a number above 0, also with a fraction. */
export function positiveNumber(word: string): number {
  const value = /^\+?(\d+(\.\d*)?|\.\d+)(e[+-]?\d+)?$/i.test(word.trim()) ? Number(word) : Number.NaN;
  if (value > 0 && value < Number.POSITIVE_INFINITY) return value;
  throw new SyntaxError("it must be a number above 0");
}

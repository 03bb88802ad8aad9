/** Parses two numbers of activations, such as `0,2` or `0..2`. */
export function readPair(word: string): readonly [number, number] {
  const [, a, b] = /^#?(\d{1,9})(?:,|\.\.)#?(\d{1,9})$/.exec(word.trim()) ?? [];
  if (a === undefined || b === undefined) throw new SyntaxError("it must be two numbers of activations, such as 0,2");
  return [Number(a), Number(b)];
}

/** A seeded source of random numbers. */
export interface Random {
  /** A number in [0, 1). */
  next(): number;
  /** An integer in [0, below). */
  integer(below: number): number;
  /** The items in a random order (Fisher–Yates), the input untouched. */
  shuffle<T>(items: readonly T[]): T[];
}

/**
 * A random source that depends on the seed and the key alone (FNV-1a of both feeds mulberry32).
 *
 * @example
 * createRandom(7, "edges").integer(10);
 */
export function createRandom(seed: number, key = ""): Random {
  let state = fnv1a(`${seed}:${key}`);
  const next = (): number => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4294967296;
  };
  const integer = (below: number): number => Math.floor(next() * below);
  const shuffle = <T>(items: readonly T[]): T[] => {
    const out = [...items];
    for (let i = out.length - 1; i > 0; i--) {
      const j = integer(i + 1);
      [out[i], out[j]] = [out[j] as T, out[i] as T];
    }
    return out;
  };
  return { next, integer, shuffle };
}

function fnv1a(text: string): number {
  let hash = 0x811c9dc5;
  for (let i = 0; i < text.length; i++) hash = Math.imul(hash ^ text.charCodeAt(i), 0x01000193);
  return hash | 0;
}

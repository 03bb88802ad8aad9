import { quote } from "./quote.ts";

const mostCandidates = 2000;

/**
 * The candidate that a mistyped word most likely stands for.
 *
 * Nearness is the number of inserted, deleted, changed or swapped letters, at most two fifths of the word; case does not count.
 * Numbers get no suggestion: every other number is near.
 */
export function nearest(word: string, candidates: Iterable<string>): string | undefined {
  const most = Math.floor(word.length * 0.4);
  if (/^\d*$/.test(word) || word.length > 200) return undefined;
  let best: string | undefined;
  let bestDistance = most + 1;
  let seen = 0;
  for (const candidate of candidates) {
    if (++seen > mostCandidates) break;
    if (Math.abs(candidate.length - word.length) >= bestDistance && candidate.toLowerCase() !== word.toLowerCase()) continue;
    const distance = editDistance(word.toLowerCase(), candidate.toLowerCase());
    if (distance < bestDistance) [best, bestDistance] = [candidate, distance];
  }
  return best;
}

/** A hint that names the nearest candidate, ready to be spread into a problem. */
export function didYouMean(word: string, candidates: Iterable<string>): { hint?: string } {
  const best = nearest(word, candidates);
  return best === undefined ? {} : { hint: `did you mean ${quote(best)}?` };
}

/** Optimal string alignment: the edits between two words, a swap of neighbours counting as one. */
export function editDistance(a: string, b: string): number {
  const width = b.length + 1;
  const table = new Uint16Array((a.length + 1) * width);
  const cost = (i: number, j: number): number => table[i * width + j] ?? 0;
  for (let i = 0; i <= a.length; i++) {
    for (let j = 0; j <= b.length; j++) {
      const isSame = a[i - 1] === b[j - 1];
      const isSwap = i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1];
      const inner = Math.min(cost(i - 1, j) + 1, cost(i, j - 1) + 1, cost(i - 1, j - 1) + (isSame ? 0 : 1));
      const swapped = isSwap ? Math.min(inner, cost(i - 2, j - 2) + 1) : inner;
      table[i * width + j] = i === 0 || j === 0 ? i + j : swapped;
    }
  }
  return cost(a.length, b.length);
}

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
  let beforeLast: number[] = [];
  let last = Array.from({ length: b.length + 1 }, (_, j) => j);
  for (let i = 1; i <= a.length; i++) {
    const row = [i];
    for (let j = 1; j <= b.length; j++) {
      const same = a[i - 1] === b[j - 1];
      let cost = Math.min((last[j] ?? 0) + 1, (row[j - 1] ?? 0) + 1, (last[j - 1] ?? 0) + (same ? 0 : 1));
      if (i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1]) cost = Math.min(cost, (beforeLast[j - 2] ?? 0) + 1);
      row.push(cost);
    }
    [beforeLast, last] = [last, row];
  }
  return last[b.length] ?? 0;
}

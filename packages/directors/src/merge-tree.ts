/** One merge: the places of its inputs; places below the number of candidates are candidates, the others earlier merges. */
export type Merge = readonly number[];

/**
 * The hierarchical aggregation of a convergent node (MacNet, arXiv 2406.07155, section 3.3): groups are merged, then the merged ones
 * again, until one is left. Built like a Huffman tree of equal weights, so that it is as flat as can be and takes exactly
 * ⌈(candidates − 1) / (groupSize − 1)⌉ merges: only the first one may be smaller than a full group.
 *
 * @param candidates how many artifacts meet, at least 1.
 * @param groupSize how many one merge takes, at least 2.
 * @returns the merges in an order in which each has its inputs; the last one gives the result.
 * @example
 * mergeTree(4, 3); // [[0, 1], [2, 3, 4]]: place 4 is the outcome of the first merge
 */
export function mergeTree(candidates: number, groupSize: number): Merge[] {
  const merges: Merge[] = [];
  const waiting = Array.from({ length: candidates }, (_, place) => place);
  let head = 0;
  let size = ((candidates - 2) % (groupSize - 1)) + 2;
  while (waiting.length - head > 1) {
    merges.push(waiting.slice(head, head + size));
    head += size;
    waiting.push(candidates + merges.length - 1);
    size = groupSize;
  }
  return merges;
}

/** Edges as columns, so that a mesh of a million edges costs a few bytes each. */
export interface EdgeColumns {
  readonly from: Int32Array;
  readonly to: Int32Array;
  /** Index in the file's `edges` of the entry that an edge comes from; -1: it was generated. */
  readonly entry: Int32Array;
  /** Characters into the entry's text at which the edge stands. */
  readonly offset: Int32Array;
}

/** A cell of a column; 0 outside of it. */
export function cell(column: Int32Array, index: number): number {
  return column[index] ?? 0;
}

/** The most edges a topology may have: those of the largest mesh. */
export const maxEdges = (5000 * 4999) / 2;

/** Columns of generated edges, to be filled in. */
export function generatedColumns(count: number): EdgeColumns {
  return { from: new Int32Array(count), to: new Int32Array(count), entry: new Int32Array(count).fill(-1), offset: new Int32Array(count) };
}

/** The same edges ordered by `from`, then `to`; equal edges keep their order. O(V + E). */
export function sortEdges(edges: EdgeColumns, nodes: number): EdgeColumns {
  if (isSorted(edges)) return edges;
  const byTo = orderBy(
    edges.to,
    Int32Array.from(edges.to, (_, i) => i),
    nodes,
  );
  const order = orderBy(edges.from, byTo, nodes);
  const pick = (column: Int32Array) => Int32Array.from(order, (i) => cell(column, i));
  return { from: pick(edges.from), to: pick(edges.to), entry: pick(edges.entry), offset: pick(edges.offset) };
}

/** Where each node's outgoing edges start in sorted edges; one more at the end (compressed rows). */
export function rowStarts(from: Int32Array, nodes: number): Int32Array {
  const starts = new Int32Array(nodes + 1);
  for (const node of from) starts[node + 1] = cell(starts, node + 1) + 1;
  for (let i = 0; i < nodes; i++) starts[i + 1] = cell(starts, i + 1) + cell(starts, i);
  return starts;
}

/** How often each node stands in a column. */
export function countNodes(column: Int32Array, nodes: number): Int32Array {
  const counts = new Int32Array(nodes);
  for (const node of column) counts[node] = cell(counts, node) + 1;
  return counts;
}

/** The index of an edge in sorted edges, by halving the row of its start. */
export function findEdge({ from, to }: EdgeColumns, edge: readonly [from: number, to: number]): number | undefined {
  let low = 0;
  let high = from.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    const before = cell(from, middle) - edge[0] || cell(to, middle) - edge[1];
    if (before < 0) low = middle + 1;
    else high = middle;
  }
  return from[low] === edge[0] && to[low] === edge[1] ? low : undefined;
}

function isSorted({ from, to }: EdgeColumns): boolean {
  for (let i = 1; i < from.length; i++) {
    const step = cell(from, i) - cell(from, i - 1) || cell(to, i) - cell(to, i - 1);
    if (step < 0) return false;
  }
  return true;
}

/** One stable counting sort. */
function orderBy(key: Int32Array, order: Int32Array, nodes: number): Int32Array {
  const next = rowStarts(key, nodes);
  const sorted = new Int32Array(order.length);
  for (const i of order) {
    const node = cell(key, i);
    const at = cell(next, node);
    next[node] = at + 1;
    sorted[at] = i;
  }
  return sorted;
}

import { cell, type EdgeColumns } from "./edge-columns.ts";

/**
 * Cycles of a graph as lists of edges, each edge starting where the one before it ends; the last one closes the cycle.
 *
 * Every node that no topological order reaches has such a node before it, so walking backwards from one of them must come
 * round. Of cycles that share nodes only one is found.
 *
 * @param order The nodes that a topological order reached.
 */
export function findCycles(edges: EdgeColumns, nodes: number, order: Int32Array): number[][] {
  const reached = new Uint8Array(nodes);
  for (const node of order) reached[node] = 1;
  const edgeInto = new Int32Array(nodes).fill(-1);
  for (const [e, from] of edges.from.entries()) {
    if (reached[from] === 0) edgeInto[cell(edges.to, e)] = e;
  }
  const walkOf = new Int32Array(nodes);
  const cycles: number[][] = [];
  for (let start = 0; start < nodes; start++) {
    const walk = start + 1;
    let node = start;
    while (reached[node] === 0 && walkOf[node] === 0) {
      walkOf[node] = walk;
      node = cell(edges.from, cell(edgeInto, node));
    }
    if (walkOf[node] === walk) cycles.push(closeAtLatest(cycleThrough(node, edges, edgeInto), edges));
  }
  return cycles;
}

function cycleThrough(start: number, edges: EdgeColumns, edgeInto: Int32Array): number[] {
  const cycle: number[] = [];
  let node = start;
  do {
    const edge = cell(edgeInto, node);
    cycle.push(edge);
    node = cell(edges.from, edge);
  } while (node !== start);
  return cycle.reverse();
}

/** Turns a cycle so that the edge that was written last comes last: it is the one that closes it. */
function closeAtLatest(cycle: readonly number[], { entry, offset }: EdgeColumns): number[] {
  const isLater = (a: number, b: number) => (cell(entry, a) - cell(entry, b) || cell(offset, a) - cell(offset, b)) > 0;
  const latest = cycle.reduce((best, edge, i) => (isLater(edge, cycle[best] ?? 0) ? i : best), 0);
  return [...cycle.slice(latest + 1), ...cycle.slice(0, latest + 1)];
}

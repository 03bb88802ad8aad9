import { cell, countNodes, type EdgeColumns, rowStarts } from "./edge-columns.ts";

/** How far each node is from the ends of a graph, in edges. */
export interface LongestPaths {
  /** Longest path from a source to each node. */
  readonly depth: Int32Array;
  /** Longest path from each node to a sink. */
  readonly height: Int32Array;
  /** Nodes in an order in which every edge points forwards; shorter than the graph when it has a cycle. */
  readonly order: Int32Array;
  readonly outStart: Int32Array;
  readonly inDegree: Int32Array;
}

/** Orders the nodes by counting down edges into them (Kahn), and measures the longest paths on the way. O(V + E). */
export function findLongestPaths(edges: EdgeColumns, nodes: number): LongestPaths {
  const outStart = rowStarts(edges.from, nodes);
  const inDegree = countNodes(edges.to, nodes);
  const waiting = inDegree.slice();
  const depth = new Int32Array(nodes);
  const order = new Int32Array(nodes);
  let found = 0;
  for (let i = 0; i < nodes; i++) if (waiting[i] === 0) order[found++] = i;
  for (let at = 0; at < found; at++) {
    const node = cell(order, at);
    for (let e = cell(outStart, node); e < cell(outStart, node + 1); e++) {
      const next = cell(edges.to, e);
      depth[next] = Math.max(cell(depth, next), cell(depth, node) + 1);
      waiting[next] = cell(waiting, next) - 1;
      if (waiting[next] === 0) order[found++] = next;
    }
  }
  const reached = order.subarray(0, found);
  return { depth, height: heightsOf({ edges, outStart }, reached), order: reached, outStart, inDegree };
}

/** Longest paths to the sinks, each node after all nodes behind it. */
function heightsOf({ edges, outStart }: { edges: EdgeColumns; outStart: Int32Array }, order: Int32Array): Int32Array {
  const height = new Int32Array(outStart.length - 1);
  for (const node of order.toReversed()) {
    for (let e = cell(outStart, node); e < cell(outStart, node + 1); e++) {
      height[node] = Math.max(cell(height, node), cell(height, cell(edges.to, e)) + 1);
    }
  }
  return height;
}

import { countNodes, type EdgeColumns, rowStarts } from "./edge-columns.ts";

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
  const height = new Int32Array(nodes);
  const order = new Int32Array(nodes);
  let found = 0;
  for (let i = 0; i < nodes; i++) if (waiting[i] === 0) order[found++] = i;
  for (let at = 0; at < found; at++) {
    const node = order[at] ?? 0;
    for (let e = outStart[node] ?? 0; e < (outStart[node + 1] ?? 0); e++) {
      const next = edges.to[e] ?? 0;
      depth[next] = Math.max(depth[next] ?? 0, (depth[node] ?? 0) + 1);
      waiting[next] = (waiting[next] ?? 0) - 1;
      if (waiting[next] === 0) order[found++] = next;
    }
  }
  for (let at = found - 1; at >= 0; at--) {
    const node = order[at] ?? 0;
    for (let e = outStart[node] ?? 0; e < (outStart[node + 1] ?? 0); e++) {
      height[node] = Math.max(height[node] ?? 0, (height[edges.to[e] ?? 0] ?? 0) + 1);
    }
  }
  return { depth, height, order: order.subarray(0, found), outStart, inDegree };
}

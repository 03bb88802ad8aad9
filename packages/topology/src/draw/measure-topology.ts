import type { CompiledTopology } from "../compiled-topology.ts";

/** The measures of a topology. */
export interface TopologyMetrics {
  readonly nodes: number;
  readonly edges: number;
  /** Edges as a share of those of the mesh of this size: 0 to 1; 0 for one node. */
  readonly density: number;
  /** Edges of the longest path. */
  readonly depth: number;
  /** The most nodes of one depth: none of them waits for another. */
  readonly width: number;
  readonly sources: number;
  readonly sinks: number;
}

/** Measures a topology; a sequence is measured as a chain. O(V). */
export function measureTopology(topology: CompiledTopology): TopologyMetrics {
  if (topology.director === "fixed") {
    const nodes = topology.sequence.length;
    return { nodes, edges: nodes - 1, density: densityOf(nodes, nodes - 1), depth: nodes - 1, width: 1, sources: 1, sinks: 1 };
  }
  const { nodes, edges, sources, sinks } = topology;
  const perDepth = new Map<number, number>();
  for (const { depth } of nodes) perDepth.set(depth, (perDepth.get(depth) ?? 0) + 1);
  return {
    nodes: nodes.length,
    edges: edges.length,
    density: densityOf(nodes.length, edges.length),
    depth: perDepth.size - 1,
    width: [...perDepth.values()].reduce((a, b) => Math.max(a, b), 0),
    sources: sources.length,
    sinks: sinks.length,
  };
}

function densityOf(nodes: number, edges: number): number {
  return nodes < 2 ? 0 : edges / ((nodes * (nodes - 1)) / 2);
}

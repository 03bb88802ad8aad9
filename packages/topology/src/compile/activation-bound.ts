import type { CompiledGraph } from "../compiled-topology.ts";

/** Aggregations that merge a number of artifacts into one: ⌈(k − 1)/(g − 1)⌉. */
function countMerges(artifacts: number, groupSize: number): number {
  return artifacts <= 1 ? 0 : Math.ceil((artifacts - 1) / (groupSize - 1));
}

/** How much a graph can start at most. */
export interface GraphBound {
  /** Activations: one for each source, 2R + 1 for an edge with a critic, 1 for one without, and the merges. */
  readonly activations: number;
  /** Aggregations among them. */
  readonly merges: number;
}

/**
 * The most activations of a graph (MacNet; ARCHITECTURE.md, "The `graph` director").
 *
 * Each edge costs at most 2R + 1 activations: R times a critique and a refinement, and the step into its target.
 */
export function boundOf(graph: Pick<CompiledGraph, "edges" | "inDegree" | "sources" | "sinks" | "groupSize">): GraphBound {
  let merges = countMerges(graph.sinks.length, graph.groupSize);
  for (const edges of graph.inDegree) merges += countMerges(edges, graph.groupSize);
  const onEdges = graph.edges.reduce((sum, edge) => sum + 2 * edge.rounds + 1, 0);
  return { activations: graph.sources.length + onEdges + merges, merges };
}

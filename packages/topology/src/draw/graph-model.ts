import { DirectedGraph } from "graphology";
import type { CompiledTopology } from "../compiled-topology.ts";
import { edgeNote, workName } from "./part-names.ts";

/** What is known of a node in the graph model. */
export interface NodeAttributes {
  /** The node's name, or the place in the sequence. */
  label: string;
  /** Name of its actor, or what works there instead. */
  agent: string;
  /** Edges of the longest path from a source. */
  depth: number;
}

/** What is known of an edge in the graph model. */
export interface EdgeAttributes {
  /** Its critic, and what else is special about it, in a few words. */
  note: string | undefined;
}

/** A topology as a graphology graph. */
export type GraphModel = DirectedGraph<NodeAttributes, EdgeAttributes>;

/**
 * A topology as a graphology graph, for metrics, layout and export; keys are node numbers. A sequence is a chain.
 * It takes a few hundred bytes an edge: nothing that runs a topology uses it.
 */
export function toGraphology(topology: CompiledTopology): GraphModel {
  const model: GraphModel = new DirectedGraph<NodeAttributes, EdgeAttributes>();
  if (topology.director === "graph") {
    for (const node of topology.nodes) model.addNode(node.index, { label: node.id, agent: workName(node), depth: node.depth });
    for (const { from, to, rule } of topology.edges) model.addDirectedEdge(from, to, { note: edgeNote(rule) });
    return model;
  }
  for (const [i, agent] of topology.sequence.entries()) {
    model.addNode(i, { label: String(i + 1), agent, depth: i });
    if (i > 0) model.addDirectedEdge(i - 1, i, { note: undefined });
  }
  return model;
}

import type { CompiledTopology } from "../compiled-topology.ts";
import { edgeNote, workName } from "./part-names.ts";

/** Nodes and edges by name, as text formats write them. */
export interface NamedGraph {
  readonly nodes: readonly { readonly id: string; readonly agent: string }[];
  readonly edges: readonly { readonly from: string; readonly to: string; readonly note: string | undefined }[];
}

/** A topology by names; a sequence is a chain. */
export function nameGraph(topology: CompiledTopology): NamedGraph {
  if (topology.director === "graph") {
    const idOf = (index: number) => topology.nodes[index]?.id ?? "";
    return {
      nodes: topology.nodes.map((node) => ({ id: node.id, agent: workName(node) })),
      edges: topology.edges.map(({ from, to, rule }) => ({ from: idOf(from), to: idOf(to), note: edgeNote(rule) })),
    };
  }
  const nodes = topology.sequence.map((agent, i) => ({ id: String(i + 1), agent }));
  return { nodes, edges: nodes.slice(1).map((node, i) => ({ from: String(i + 1), to: node.id, note: undefined })) };
}

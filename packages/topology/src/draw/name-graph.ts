import type { CompiledTopology } from "../compiled-topology.ts";

/** Nodes and edges by name, as text formats write them. */
export interface NamedGraph {
  readonly nodes: readonly { readonly id: string; readonly agent: string }[];
  readonly edges: readonly { readonly from: string; readonly to: string; readonly critic: string | undefined }[];
}

/** A topology by names; a sequence is a chain. */
export function nameGraph(topology: CompiledTopology): NamedGraph {
  if (topology.director === "graph") {
    const idOf = (index: number) => topology.nodes[index]?.id ?? "";
    return { nodes: topology.nodes, edges: topology.edges.map(({ from, to, critic }) => ({ from: idOf(from), to: idOf(to), critic })) };
  }
  const nodes = topology.sequence.map((agent, i) => ({ id: String(i + 1), agent }));
  return { nodes, edges: nodes.slice(1).map((node, i) => ({ from: String(i + 1), to: node.id, critic: undefined })) };
}

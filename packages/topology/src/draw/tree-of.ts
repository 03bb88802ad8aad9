import type { CompiledGraph, CompiledTopology } from "../compiled-topology.ts";
import { workName } from "./part-names.ts";

const mostNodes = 30;

/**
 * A small topology as a tree in text. Each node stands under the last of the nodes before it; the others are named beside it.
 *
 * @returns lines; none when there are more than 30 nodes.
 */
export function treeOf(topology: CompiledTopology): string[] {
  if (topology.director === "fixed") return topology.sequence.length > mostNodes ? [] : [topology.sequence.join(" → ")];
  if (topology.nodes.length > mostNodes) return [];
  const before = topology.nodes.map((): number[] => []);
  for (const { from, to } of topology.edges) before[to]?.push(from);
  const parents = before.map((nodes) => nodes.reduce<number | undefined>((best, node) => deeper(topology, best, node), undefined));
  return topology.sources.flatMap((source) => branchOf(topology, { node: source, parents, before }));
}

interface Branch {
  readonly node: number;
  /** The node that each node stands under. */
  readonly parents: readonly (number | undefined)[];
  /** All nodes with an edge into each node. */
  readonly before: readonly (readonly number[])[];
}

function branchOf(graph: CompiledGraph, { node, parents, before }: Branch): string[] {
  const children = parents.flatMap((parent, child) => (parent === node ? [child] : []));
  const others = (before[node] ?? []).filter((other) => other !== parents[node]);
  const also = others.length === 0 ? "" : `  ← also ${others.map((other) => graph.nodes[other]?.id).join(", ")}`;
  const branches = children.flatMap((child, i) => {
    const isLast = i === children.length - 1;
    return branchOf(graph, { node: child, parents, before }).map((line, j) => `${stemOf(j === 0, isLast)}${line}`);
  });
  const of = graph.nodes[node];
  return [`${of?.id} ${of === undefined ? "" : workName(of)}${also}`, ...branches];
}

function stemOf(isFirst: boolean, isLast: boolean): string {
  if (isFirst) return isLast ? "└─ " : "├─ ";
  return isLast ? "   " : "│  ";
}

function deeper({ nodes }: CompiledGraph, best: number | undefined, node: number): number {
  return best === undefined || (nodes[node]?.depth ?? 0) > (nodes[best]?.depth ?? 0) ? node : best;
}

import type { AgentCard, NodeEntry, TopologyFile } from "@troupe/schema";
import type { DocumentPath } from "../yaml/place.ts";

/** A card that a topology names: what for, and where. */
export interface CardUse {
  /** The card's path, as written. */
  readonly card: string;
  readonly role: AgentCard["kind"];
  readonly path: DocumentPath;
}

/** What `critic` says when an edge has none. */
export const noCritic = "none";

/** Every place of a topology that names a card, in the order of the format; those of graphs in other files are theirs. */
export function listCardUses(file: TopologyFile): CardUse[] {
  const { actor, critic, aggregator } = file.defaults;
  return [
    ...use(actor, "actor", ["defaults", "actor"]),
    ...use(critic, "critic", ["defaults", "critic"]),
    ...use(aggregator, "aggregator", ["defaults", "aggregator"]),
    ...(file.agents ?? []).flatMap((card, i) => use(card, "actor", ["agents", i])),
    ...listGraphUses(file, []),
  ];
}

/** Cards that a graph names, and the graphs that are written in its nodes. */
function listGraphUses({ nodes = [], edges = [] }: Pick<TopologyFile, "nodes" | "edges">, base: DocumentPath): CardUse[] {
  const reducers = new Set(edges.flatMap((edge) => (typeof edge === "object" && edge.reduce !== undefined ? [edge.to] : [])));
  return [
    ...nodes.flatMap((node: NodeEntry, i) => {
      const inner = node.graph ?? node.loop?.graph;
      const path = [...base, "nodes", i];
      const below = typeof inner === "object" ? listGraphUses(inner, [...path, ...graphPathOf(node)]) : [];
      return [...use(node.agent, reducers.has(node.id) ? "aggregator" : "actor", [...path, "agent"]), ...below];
    }),
    ...edges.flatMap((edge, i) => (typeof edge === "string" ? [] : use(edge.critic, "critic", [...base, "edges", i, "critic"]))),
  ];
}

/** Every place of a topology that names another one. */
export function listInnerFiles(file: Pick<TopologyFile, "nodes">, base: DocumentPath = []): { file: string; path: DocumentPath }[] {
  return (file.nodes ?? []).flatMap((node, i) => {
    const inner = node.graph ?? node.loop?.graph;
    const path = [...base, "nodes", i, ...graphPathOf(node)];
    if (inner === undefined) return [];
    return typeof inner === "string" ? [{ file: inner, path }] : listInnerFiles(inner, path);
  });
}

/** Whether a graph is written in a node of the file, so that the file's defaults hold there too. */
export function hasInnerGraphs({ nodes = [] }: Pick<TopologyFile, "nodes">): boolean {
  return nodes.some(({ graph, loop }) => typeof (graph ?? loop?.graph) === "object");
}

/** Where the graph of a node stands in its entry. */
export function graphPathOf(entry: NodeEntry): string[] {
  return entry.loop === undefined ? ["graph"] : ["loop", "graph"];
}

function use(card: string | undefined, role: CardUse["role"], path: DocumentPath): CardUse[] {
  return card === undefined || (role === "critic" && card === noCritic) ? [] : [{ card, role, path }];
}

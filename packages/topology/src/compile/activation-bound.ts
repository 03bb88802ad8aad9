import type { CompiledEdge, CompiledGraph, CompiledNode } from "../compiled-topology.ts";

/** Aggregations that merge a number of artifacts into one: ⌈(k − 1)/(g − 1)⌉. */
function countMerges(artifacts: number, groupSize: number): number {
  return artifacts <= 1 ? 0 : Math.ceil((artifacts - 1) / (groupSize - 1));
}

/** What one activation is counted as: 1, or what it may cost. @param agent undefined: no agent works, such as at a wait. */
export type Weigh = (agent: string | undefined) => number;

type BoundedGraph = Pick<CompiledGraph, "nodes" | "edges" | "inDegree" | "sinks" | "groupSize" | "groupTokens" | "aggregator">;

/**
 * The most activations of a graph (MacNet; ARCHITECTURE.md, "The `graph` director"), or what they may cost at most.
 *
 * Each edge costs at most 2R + 1 + 2T activations: R times a critique and a refinement, the step into its target, and T times a critique and a refinement of that; a map edge one step for each
 * item; a join of k artifacts ⌈(k − 1)/(g − 1)⌉ aggregations; a loop all its rounds.
 *
 * @param weigh default: each counts as one.
 */
export function boundOf(graph: BoundedGraph, weigh: Weigh = () => 1): number {
  return boundOnce(graph, weigh, new Map());
}

/** @param known what graphs cost that were met before: a file can be the graph of many nodes. */
function boundOnce(graph: BoundedGraph, weigh: Weigh, known: Map<BoundedGraph, number>): number {
  const before = known.get(graph);
  if (before !== undefined) return before;
  let sum = countMerges(graph.sinks.length, groupOf(graph)) * weigh(graph.aggregator);
  const steps = new Float64Array(graph.nodes.length);
  for (const edge of graph.edges) {
    const { critic, rounds, targetRounds, split } = edge.rule;
    sum += rounds * (weigh(critic) + weigh(graph.nodes[edge.from]?.agent));
    if (split === undefined && graph.nodes[edge.to]?.agent !== undefined)
      sum += targetRounds * (weigh(critic) + weigh(graph.nodes[edge.to]?.agent));
    steps[edge.to] = (steps[edge.to] ?? 0) + stepsOf(edge);
  }
  for (const node of graph.nodes) sum += boundOfNode(node, { graph, steps: steps[node.index] ?? 0, weigh, known });
  known.set(graph, sum);
  return sum;
}

/** How many aggregations a graph has at most, those inside nodes left out. */
export function boundOfMerges(graph: BoundedGraph): number {
  return graph.nodes.reduce((sum, node) => sum + mergesAt(node, graph), countMerges(graph.sinks.length, groupOf(graph)));
}

interface NodeBound {
  readonly graph: BoundedGraph;
  /** Steps that edges take into it. */
  readonly steps: number;
  readonly weigh: Weigh;
  readonly known: Map<BoundedGraph, number>;
}

function boundOfNode(node: CompiledNode, { graph, steps, weigh, known }: NodeBound): number {
  const { work } = node;
  const merges = mergesAt(node, graph) * weigh(graph.aggregator);
  switch (work.kind) {
    case "agent":
      // Edges that only trigger a node leave it one step of its own.
      return merges + Math.max(1, steps) * weigh(node.agent);
    case "human":
    case "best":
      return merges + weigh(undefined);
    case "graph":
      return merges + Math.max(1, steps) * boundOnce(work.body, weigh, known);
    case "loop":
      return merges + Math.max(1, steps) * work.times * boundOnce(work.body, weigh, known);
    case "literal":
    case "pass":
    case "vote":
      return merges;
  }
}

/** Steps into the target: one, or of items one each, or what merging them takes. */
function stepsOf({ rule: { carry, trigger, split } }: CompiledEdge): number {
  if (!carry || !trigger) return 0;
  if (split === undefined) return 1;
  return split.kind === "map" ? split.most : countMerges(split.most, split.group);
}

function mergesAt({ index, arrivals, work }: CompiledNode, graph: BoundedGraph): number {
  if (work.kind === "vote" || work.kind === "best" || work.kind === "literal") return 0;
  const carrying = arrivals?.carrying ?? graph.inDegree[index] ?? 0;
  const need = arrivals?.need ?? "all";
  return countMerges(need === "all" ? carrying : Math.min(need, carrying), groupOf(graph));
}

/** A limit in tokens may make every group as small as it can be. */
function groupOf({ groupSize, groupTokens }: Pick<CompiledGraph, "groupSize" | "groupTokens">): number {
  return groupTokens === undefined ? groupSize : 2;
}

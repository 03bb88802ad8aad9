import type { AgentCard } from "@troupe/schema";
import { boundOf, boundOfMerges } from "../compile/activation-bound.ts";
import type { CompiledGraph, CompiledTopology } from "../compiled-topology.ts";
import { measureTopology } from "./measure-topology.ts";
import { treeOf } from "./tree-of.ts";

/**
 * A topology as a few lines of text: its tree when it is small, its measures, agents, limits, and what a run costs at most.
 * Retries of a failed activation come on top of that bound.
 */
export function describeTopology(topology: CompiledTopology): string {
  const rows: [string, string][] = [
    ["graph", measuresOf(topology)],
    ["agents", [...agentLines(topology)].join("\n")],
    ["limits", limitsOf(topology)],
    ["at most", `${count(topology.bound, "activation")}, ${count(boundOfCalls(topology), "model call")}`],
  ];
  const table = rows.map(([name, text]) => text.split("\n").map((line, i) => `  ${(i === 0 ? name : "").padEnd(9)}${line}`));
  return [`${topology.name} (director: ${topology.director})`, ...treeOf(topology).map((line) => `  ${line}`), ...table.flat()].join("\n");
}

/**
 * The most model calls of a run without retries: each activation may use all `turns` of its agent's card.
 *
 * @returns calls.
 */
export function boundOfCalls(topology: CompiledTopology): number {
  const turns = (agent: string | undefined) => (agent === undefined ? 0 : (topology.agents[agent]?.turns ?? 0));
  if (topology.director === "fixed") return topology.sequence.reduce((sum, agent) => sum + turns(agent), 0);
  return boundOf(topology, turns);
}

function measuresOf(topology: CompiledTopology): string {
  const { nodes, edges, density, depth, width, sources, sinks } = measureTopology(topology);
  const share = `${Math.round(density * 100)} % of a mesh`;
  return `${count(nodes, "node")}, ${count(edges, "edge")} (${share}), depth ${depth}, width ${width}, ${count(sources, "source")}, ${count(sinks, "sink")}`;
}

function* agentLines(topology: CompiledTopology): Generator<string> {
  for (const card of Object.values(topology.agents)) {
    const uses =
      topology.director === "graph" ? usesOf(card, topology) : count(topology.sequence.filter((name) => name === card.name).length, "time");
    yield `${card.name}: ${card.kind}, model ${card.model}, ${count(card.turns, "turn")}, ${uses}`;
  }
}

/** Where a card is used, graphs inside nodes counted once each. */
function usesOf(card: AgentCard, graph: CompiledGraph): string {
  const graphs = [...graphsIn(graph)];
  const sumOf = (of: (graph: CompiledGraph) => number) => graphs.reduce((sum, one) => sum + of(one), 0);
  const nodes = sumOf((one) => one.nodes.filter(({ agent }) => agent === card.name).length);
  if (card.kind === "actor" || nodes > 0) return `on ${count(nodes, "node")}`;
  if (card.kind === "critic")
    return `on ${count(
      sumOf((one) => one.edges.filter(({ rule }) => rule.critic === card.name).length),
      "edge",
    )}`;
  const merging = graphs.filter(({ aggregator }) => aggregator === card.name);
  const merges = merging.reduce((sum, one) => sum + boundOfMerges(one), 0);
  return `for up to ${count(merges, "merge")} of up to ${Math.max(...merging.map(({ groupSize }) => groupSize), 2)}`;
}

/** A graph, and every graph inside its nodes. */
function graphsIn(graph: CompiledGraph, found = new Set<CompiledGraph>()): Set<CompiledGraph> {
  if (found.has(graph)) return found;
  found.add(graph);
  for (const { work } of graph.nodes) if (work.kind === "graph" || work.kind === "loop") graphsIn(work.body, found);
  return found;
}

function limitsOf({ limits }: CompiledTopology): string {
  const set = [...limitWords(limits)];
  return set.length === 0 ? "none of its own" : set.join(", ");
}

/** Each limit in words, those of agents and models with their names before them. */
function* limitWords(limits: object, prefix = ""): Generator<string> {
  for (const [name, value] of Object.entries(limits) as [string, unknown][]) {
    if (typeof value === "number") yield `${prefix}${name} ${value.toLocaleString("en")}`;
    else if (typeof value === "object" && value !== null) yield* limitWords(value, `${prefix}${name} `);
  }
}

function count(number: number, word: string): string {
  return `${number.toLocaleString("en")} ${word}${number === 1 ? "" : "s"}`;
}

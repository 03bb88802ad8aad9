import type { Artifact, NodeEntry, TopologyFile } from "@troupe/schema";
import type { CompiledArrivals, CompiledGraph, CompiledNode, NodeWork } from "../compiled-topology.ts";
import { compileCondition } from "./condition.ts";
import { cell } from "./edge-columns.ts";
import { type EdgeTerms, onlyTakes, type Terms, workOf } from "./edge-terms.ts";
import { freezeDeep } from "./freeze-deep.ts";
import type { LongestPaths } from "./longest-paths.ts";
import type { Cast } from "./make-edges.ts";
import { temperatureAt } from "./temperature-at.ts";
import type { Wiring } from "./wire-nodes.ts";

/** What nodes are made of besides the file. */
export interface NodeParts {
  readonly terms: Terms;
  readonly paths: LongestPaths;
  readonly cast: Cast;
  /** The graphs inside nodes, by node. */
  readonly bodies: ReadonlyMap<number, CompiledGraph>;
}

/** Makes the nodes of a graph, and what is waited for at its end. */
export function makeNodes(file: TopologyFile, { nodes, edges }: Wiring, { terms, paths, cast, bodies }: NodeParts) {
  const { depth, height } = paths;
  const deepest = depth.reduce((a, b) => Math.max(a, b), 0);
  const { arrivals, ending } = findArrivals(edges, { terms, paths, bodies });
  const made = nodes.ids.map((id, index): CompiledNode => {
    const entry = terms.node(index);
    const at = cell(depth, index);
    const isAgent = workOf(entry) === "agent";
    return Object.freeze({
      index,
      id,
      work: makeWork(entry, bodies.get(index)),
      agent: isAgent ? cast.table.nameOf(entry?.agent ?? file.defaults.actor ?? "") : undefined,
      model: entry?.model ?? file.defaults.model,
      temperature: entry?.temperature ?? temperatureAt(file.defaults.temperature, at, deepest),
      profile: isAgent ? cast.draw("actor") : undefined,
      depth: at,
      height: cell(height, index),
      arrivals: arrivals(index),
    });
  });
  return { nodes: Object.freeze(made), ending };
}

const agentWork: NodeWork = Object.freeze({ kind: "agent" });

function makeWork(entry: NodeEntry | undefined, body: CompiledGraph | undefined): NodeWork {
  if (entry?.pass !== undefined) return Object.freeze({ kind: "pass" });
  if (entry?.best !== undefined) return Object.freeze({ kind: "best" });
  if (entry?.human !== undefined) return freezeDeep({ kind: "human", wait: entry.human });
  if (entry?.vote !== undefined) return freezeDeep({ kind: "vote", vote: entry.vote });
  if (entry?.literal !== undefined) return freezeDeep({ kind: "literal", artifact: literalOf(entry.literal) });
  return body === undefined ? agentWork : workOfGraph(entry, body);
}

function literalOf(value: Exclude<NodeEntry["literal"], undefined>): Artifact {
  return typeof value === "string" ? { kind: "text", text: value } : { kind: "json", value };
}

function workOfGraph(entry: NodeEntry | undefined, body: CompiledGraph): NodeWork {
  if (entry?.loop === undefined) return Object.freeze({ kind: "graph", body });
  const { times, until } = entry.loop;
  const condition = until === undefined ? undefined : compileCondition(until);
  return Object.freeze({ kind: "loop", body, times, until: condition !== undefined && "holds" in condition ? condition : undefined });
}

/**
 * What each node waits for. A node is counted down plainly unless an edge into it may bring nothing: one with a condition, a reduce edge,
 * one that carries or triggers nothing, or one from a node that may be skipped, which is a node that only such edges set off.
 */
function findArrivals(
  edges: Wiring["edges"],
  { terms, paths: { order, outStart, inDegree }, bodies }: Pick<NodeParts, "terms" | "paths" | "bodies">,
) {
  const counts = countInto(inDegree.length);
  let sinks = 0;
  let unsureSinks = 0;
  for (const node of order) {
    const isNeverSet = cell(inDegree, node) > 0 && cell(counts.unsure, node) === cell(counts.triggers, node);
    // Set off by edges that carry nothing, it may have what its whole graph was given, or nothing.
    const isStarved = cell(counts.surelyCarrying, node) === 0 && onlyTakes(terms.work(node));
    const isSkippable = isNeverSet || isStarved || maySkip(terms.work(node), bodies.get(node));
    const first = cell(outStart, node);
    const end = cell(outStart, node + 1);
    if (first === end) sinks++;
    if (first === end && isSkippable) unsureSinks++;
    for (let e = first; e < end; e++) counts.add(cell(edges.to, e), terms.edge(e), isSkippable);
  }
  const arrivals = (index: number): CompiledArrivals | undefined => {
    const work = terms.work(index);
    const need = needOf(terms.node(index)?.join);
    const isPlain = need === "all" && work !== "vote" && work !== "best" && cell(counts.mayMiss, index) + cell(counts.side, index) === 0;
    if (isPlain || cell(inDegree, index) === 0) return undefined;
    return Object.freeze({ carrying: cell(counts.carrying, index), side: cell(counts.side, index), need });
  };
  const ending: CompiledArrivals | undefined = unsureSinks === 0 ? undefined : Object.freeze({ carrying: sinks, side: 0, need: "all" });
  return { arrivals, ending };
}

/** Counts the edges into each node by what can be relied on. */
function countInto(nodes: number) {
  const columns = {
    carrying: new Int32Array(nodes),
    surelyCarrying: new Int32Array(nodes),
    side: new Int32Array(nodes),
    triggers: new Int32Array(nodes),
    /** Triggering ones that may bring nothing. */
    unsure: new Int32Array(nodes),
    mayMiss: new Int32Array(nodes),
  };
  const count = (column: keyof typeof columns, to: number): void => {
    columns[column][to] = cell(columns[column], to) + 1;
  };
  const add = (to: number, { carry, trigger, split, said }: EdgeTerms, isSkippable: boolean): void => {
    const isUnsure = isSkippable || said.when !== undefined || split === "reduce";
    count(carry && trigger ? "carrying" : "side", to);
    if (carry && trigger && !isUnsure) count("surelyCarrying", to);
    if (trigger) count("triggers", to);
    if (trigger && isUnsure) count("unsure", to);
    if (isUnsure) count("mayMiss", to);
  };
  return { ...columns, add };
}

/** Whether a node may make nothing although it was set off. */
function maySkip(work: ReturnType<Terms["work"]>, body: CompiledGraph | undefined): boolean {
  return work === "vote" || body?.ending !== undefined;
}

function needOf(join: NodeEntry["join"]): number | "all" {
  return join === undefined || join === "all" ? "all" : join === "any" ? 1 : join;
}

import type { TopologyFile } from "@troupe/schema";
import { quote } from "../yaml/quote.ts";
import { hasInnerGraphs } from "./card-uses.ts";
import { cell, countNodes } from "./edge-columns.ts";
import { onlyTakes, type Terms } from "./edge-terms.ts";
import type { GraphPlace } from "./inner-graphs.ts";
import type { LongestPaths } from "./longest-paths.ts";
import type { ProblemList } from "./problem-list.ts";
import type { Wiring } from "./wire-nodes.ts";

interface Checked {
  readonly terms: Terms;
  readonly paths: LongestPaths;
  readonly file: TopologyFile;
  readonly list: ProblemList;
  readonly place: GraphPlace;
}

/** Nodes that can only take what is given to them, where nothing is: in the outermost graph, or votes anywhere without a vote. */
export function reportStarved({ nodes, edges }: Wiring, { terms, list, place }: Pick<Checked, "terms" | "list" | "place">): void {
  if (![...nodes.entryOf.keys()].some((index) => onlyTakes(terms.work(index)))) return;
  const into = countNodes(edges.to, nodes.ids.length);
  const carrying = countCarrying({ nodes, edges }, terms);
  for (const [index, entry] of nodes.entryOf) {
    const work = terms.work(index);
    const isGiven = cell(carrying, index) > 0 || (place !== "outermost" && (work !== "vote" || cell(into, index) === 0));
    if (isGiven || !onlyTakes(work)) continue;
    const message = `nothing comes to the node ${quote(nodes.ids[index])}, which only takes what others made`;
    const expected = cell(into, index) === 0 ? "edges into it" : "an edge into it that carries and triggers";
    list.add({ path: ["nodes", entry, work], on: "key", message, expected });
  }
}

/** Nodes without an actor: one problem for those of a shape, one for each that the file writes. */
export function reportActorless({ nodes }: Wiring, { terms, file, list }: Pick<Checked, "terms" | "file" | "list">): void {
  if (file.defaults.actor !== undefined) return;
  for (const [i, id] of nodes.ids.entries()) {
    if (list.full) return;
    const entry = nodes.entryOf.get(i);
    if (terms.work(i) !== "agent" || terms.node(i)?.agent !== undefined) continue;
    const path = entry === undefined ? ["shape"] : ["nodes", entry];
    const message = entry === undefined ? "nodes of the shape have no agent" : `the node ${quote(id)} has no agent`;
    list.add({ path, message, expected: "`defaults.actor`, or `agent` for each node" });
  }
}

/** Several artifacts that meet, at a node or at the end, need somebody who merges them; and who merges needs such artifacts. */
export function reportMerging(wiring: Wiring, { terms, paths, file, list, place }: Checked): void {
  const { aggregator } = file.defaults;
  const path = ["defaults", "aggregator"];
  const { nodes } = wiring;
  const sinks = countSinks(paths, nodes.ids.length);
  const meeting = countMeeting(wiring, terms);
  const join = meeting.findIndex((count) => count > 1);
  if (join >= 0 || sinks > 1) {
    const where = join < 0 ? `${sinks} nodes end the graph` : `${meeting[join]} edges meet at the node ${quote(nodes.ids[join])}`;
    if (aggregator === undefined)
      list.add({ path, message: `${where}, but nobody merges what they bring`, expected: "`defaults.aggregator`" });
  } else if (aggregator !== undefined && place !== "node" && file.shape === undefined && !list.failed && !hasInnerGraphs(file)) {
    // Beside a shape it waits for another one, which is a word away; and graphs written in nodes share it with those around them.
    const message = "the aggregator never acts: no node has several edges into it, and only one ends the graph";
    list.add({ path, severity: "warning", message, hint: "leave it out" });
  }
}

/** How many edges bring each node an artifact to work on. */
function countCarrying({ nodes, edges }: Wiring, terms: Terms): Int32Array {
  const counts = new Int32Array(nodes.ids.length);
  for (let e = 0; e < edges.from.length; e++) {
    const { carry, trigger } = terms.edge(e);
    const to = cell(edges.to, e);
    if (carry && trigger) counts[to] = cell(counts, to) + 1;
  }
  return counts;
}

/** How many artifacts each node has merged. */
function countMeeting(wiring: Wiring, terms: Terms): Int32Array {
  return countCarrying(wiring, terms).map((count, index) => {
    const work = terms.work(index);
    const join = terms.node(index)?.join;
    if (work === "vote" || work === "best" || join === "any") return 0;
    return typeof join === "number" ? Math.min(join, count) : count;
  });
}

function countSinks({ outStart }: LongestPaths, nodes: number): number {
  let sinks = 0;
  for (let i = 0; i < nodes; i++) if (outStart[i] === outStart[i + 1]) sinks++;
  return sinks;
}

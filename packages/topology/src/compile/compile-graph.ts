import type { TopologyFile } from "@troupe/schema";
import type { CompiledEdge, CompiledGraph, CompiledNode } from "../compiled-topology.ts";
import { quote } from "../yaml/quote.ts";
import { boundOf } from "./activation-bound.ts";
import { type AgentTable, createAgentTable } from "./agent-table.ts";
import { noCritic } from "./card-uses.ts";
import { cell } from "./edge-columns.ts";
import { findCycles } from "./find-cycles.ts";
import { findLongestPaths, type LongestPaths } from "./longest-paths.ts";
import type { ProblemList } from "./problem-list.ts";
import { type DrawProfile, drawProfiles } from "./profile-draw.ts";
import { areSound, type TopologyParts } from "./topology-parts.ts";
import { temperatureAt } from "./temperature-at.ts";
import { spotOf, type Wiring, wireNodes } from "./wire-nodes.ts";
import type { EdgeEntry } from "./written-edges.ts";

/** Compiles the graph of a file; undefined when problems keep it from being one. */
export function compileGraph(parts: TopologyParts, list: ProblemList): CompiledGraph | undefined {
  const { file, broken } = parts;
  if (["shape", "nodes", "edges"].some((key) => broken.has(key))) return undefined;
  const wiring = wireNodes(file, list);
  if (wiring === undefined) return undefined;
  const { nodes, edges } = wiring;
  const paths = findLongestPaths(edges, nodes.ids.length);
  reportCycles(wiring, paths, file, list);
  if (!broken.has("defaults")) {
    reportActorless(wiring, file, list);
    reportMerging(wiring, paths, file, list);
  }
  if (list.failed || !areSound(parts)) return undefined;
  return assemble(wiring, paths, parts);
}

function reportCycles({ nodes, edges }: Wiring, { order }: LongestPaths, file: TopologyFile, list: ProblemList): void {
  if (order.length === nodes.ids.length) return;
  for (const cycle of findCycles(edges, nodes.ids.length, order)) {
    const steps = cycle.map((e) => ` -> ${nodes.ids[cell(edges.to, e)]} (${list.source.mark(["edges", cell(edges.entry, e)])})`);
    const closing = cycle.at(-1) ?? 0;
    list.add({
      ...spotOf(edges, closing, file),
      message: `the edges go round in a circle: ${nodes.ids[cell(edges.from, cycle[0] ?? 0)]}${steps.join("")}`,
      expected: "a graph without cycles",
    });
  }
}

/** Nodes without an actor: one problem for those of a shape, one for each that the file writes. */
function reportActorless({ nodes }: Wiring, file: TopologyFile, list: ProblemList): void {
  if (file.defaults.actor !== undefined) return;
  for (const [i, id] of nodes.ids.entries()) {
    if (list.full) return;
    const entry = nodes.entryOf.get(i);
    if (entry !== undefined && file.nodes?.[entry]?.agent !== undefined) continue;
    const path = entry === undefined ? ["shape"] : ["nodes", entry];
    const message = entry === undefined ? "nodes of the shape have no agent" : `the node ${quote(id)} has no agent`;
    list.add({ path, message, expected: "`defaults.actor`, or `agent` for each node" });
  }
}

/** Several artifacts that meet, at a node or at the end, need somebody who merges them; and who merges needs such artifacts. */
function reportMerging({ nodes }: Wiring, paths: LongestPaths, file: TopologyFile, list: ProblemList): void {
  const { aggregator } = file.defaults;
  const path = ["defaults", "aggregator"];
  const sinks = countSinks(paths, nodes.ids.length);
  const join = paths.inDegree.findIndex((count) => count > 1);
  if (join >= 0 || sinks > 1) {
    const where = join < 0 ? `${sinks} nodes end the graph` : `${paths.inDegree[join]} edges meet at the node ${quote(nodes.ids[join])}`;
    if (aggregator === undefined)
      list.add({ path, message: `${where}, but nobody merges what they bring`, expected: "`defaults.aggregator`" });
  } else if (aggregator !== undefined && file.shape === undefined && !list.failed) {
    // Beside a shape it waits for another one, which is a word away.
    const message = "the aggregator never acts: no node has several edges into it, and only one ends the graph";
    list.add({ path, severity: "warning", message, hint: "leave it out" });
  }
}

function countSinks({ outStart }: LongestPaths, nodes: number): number {
  let sinks = 0;
  for (let i = 0; i < nodes; i++) if (outStart[i] === outStart[i + 1]) sinks++;
  return sinks;
}

/** Who acts: the cards in use, and the profiles that are drawn for them. */
interface Cast {
  readonly table: AgentTable;
  readonly draw: DrawProfile;
}

function assemble(wiring: Wiring, paths: LongestPaths, { file, cards, pools }: TopologyParts): CompiledGraph {
  const cast: Cast = { table: createAgentTable(cards), draw: drawProfiles(file, pools) };
  const { table } = cast;
  const { inDegree, outStart } = paths;
  const nodes = makeNodes(file, wiring, paths, cast);
  const edges = makeEdges(file, wiring, cast);
  const sources = Object.freeze(nodes.flatMap(({ index }) => (inDegree[index] === 0 ? [index] : [])));
  const sinks = Object.freeze(nodes.flatMap(({ index }) => (outStart[index] === outStart[index + 1] ? [index] : [])));
  const { groupSize, aggregator, model, temperature } = file.defaults;
  const bound = boundOf({ edges, inDegree, sources, sinks, groupSize });
  const merger = bound.merges > 0 && aggregator !== undefined ? table.nameOf(aggregator) : undefined;
  return Object.freeze({
    director: "graph" as const,
    name: file.name,
    agents: table.agents,
    limits: Object.freeze({ ...file.limits }),
    bound: bound.activations,
    nodes,
    edges,
    outStart,
    inDegree,
    sources,
    sinks,
    aggregator: merger,
    groupSize,
    aggregatorModel: model,
    productTemperature: temperatureAt(temperature, 1, 1),
  });
}

function makeNodes(file: TopologyFile, { nodes }: Wiring, { depth, height }: LongestPaths, { table, draw }: Cast) {
  const deepest = depth.reduce((a, b) => Math.max(a, b), 0);
  return Object.freeze(
    nodes.ids.map((id, index): CompiledNode => {
      const entry = file.nodes?.[nodes.entryOf.get(index) ?? -1];
      const at = cell(depth, index);
      return Object.freeze({
        index,
        id,
        agent: table.nameOf(entry?.agent ?? file.defaults.actor ?? ""),
        model: entry?.model ?? file.defaults.model,
        temperature: entry?.temperature ?? temperatureAt(file.defaults.temperature, at, deepest),
        profile: draw("actor"),
        depth: at,
        height: cell(height, index),
      });
    }),
  );
}

function makeEdges(file: TopologyFile, { edges }: Wiring, { table, draw }: Cast): readonly CompiledEdge[] {
  const { critic = noCritic, model, rounds } = file.defaults;
  const made = new Array<CompiledEdge>(edges.from.length);
  for (let index = 0; index < made.length; index++) {
    const written = file.edges?.[cell(edges.entry, index)];
    const said: Partial<Exclude<EdgeEntry, string>> = typeof written === "object" ? written : {};
    const path = said.critic ?? critic;
    const reviewer = path === noCritic ? undefined : table.nameOf(path);
    made[index] = Object.freeze({
      index,
      from: cell(edges.from, index),
      to: cell(edges.to, index),
      critic: reviewer,
      model: said.model ?? model,
      rounds: reviewer === undefined ? 0 : (said.rounds ?? rounds),
      profile: reviewer === undefined ? undefined : draw("critic"),
    });
  }
  return Object.freeze(made);
}

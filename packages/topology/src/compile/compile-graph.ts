import type { TopologyFile } from "@troupe/schema";
import type { CompiledGraph } from "../compiled-topology.ts";
import { boundOf, boundOfMerges } from "./activation-bound.ts";
import { createAgentTable } from "./agent-table.ts";
import { checkGraphParts } from "./check-parts.ts";
import { cell } from "./edge-columns.ts";
import { type Terms, termsOf } from "./edge-terms.ts";
import { findCycles } from "./find-cycles.ts";
import { compileInnerGraphs, type GraphPlace, reportNesting } from "./inner-graphs.ts";
import { findLongestPaths, type LongestPaths } from "./longest-paths.ts";
import { type Cast, makeEdges } from "./make-edges.ts";
import { makeNodes } from "./make-nodes.ts";
import type { ProblemList } from "./problem-list.ts";
import { drawProfiles } from "./profile-draw.ts";
import { reportActorless, reportMerging, reportStarved } from "./report-staff.ts";
import { areSound, type TopologyParts } from "./topology-parts.ts";
import { temperatureAt } from "./temperature-at.ts";
import { spotOf, type Wiring, wireNodes } from "./wire-nodes.ts";

/** Compiles the graph of a file; undefined when problems keep it from being one. */
export function compileGraph(parts: TopologyParts, list: ProblemList): CompiledGraph | undefined {
  const { file, cards, pools } = parts;
  reportNesting(parts, list);
  const hand = { draw: drawProfiles(file, pools), isDealt: file.defaults.profiles !== undefined };
  const cast = { table: createAgentTable(cards), ...hand, inner: { files: new Map(), parts: 0 } };
  return compileBody(parts, list, cast, "outermost");
}

/** The same for a graph at any place. */
function compileBody(parts: TopologyParts, list: ProblemList, cast: Cast, place: GraphPlace): CompiledGraph | undefined {
  const { file, broken } = parts;
  if (["shape", "nodes", "edges"].some((key) => broken.has(key))) return undefined;
  const wiring = wireNodes(file, list);
  if (wiring === undefined) return undefined;
  const { nodes, edges } = wiring;
  const paths = findLongestPaths(edges, nodes.ids.length);
  const terms = termsOf(file, wiring);
  reportCycles(wiring, paths, file, list);
  checkGraphParts(wiring, terms, { file, list });
  const inner = compileInnerGraphs(parts, { list, cast, compile: compileBody });
  reportStarved(wiring, { terms, list, place });
  if (!broken.has("defaults")) {
    reportActorless(wiring, { terms, file, list });
    reportMerging(wiring, { terms, paths, file, list, place });
  }
  if (list.failed || !areSound(parts)) return undefined;
  const bodies = new Map(
    [...nodes.entryOf].flatMap(([index, entry]) => (inner.has(entry) ? [[index, inner.get(entry) as CompiledGraph]] : [])),
  );
  return assemble(file, { wiring, paths, terms, cast, bodies });
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
      hint: "to do something again and again, put it into a node with `loop`",
    });
  }
}

interface GraphParts {
  readonly wiring: Wiring;
  readonly paths: LongestPaths;
  readonly terms: Terms;
  readonly cast: Cast;
  readonly bodies: ReadonlyMap<number, CompiledGraph>;
}

function assemble(file: TopologyFile, { wiring, paths, terms, cast, bodies }: GraphParts): CompiledGraph {
  const { inDegree, outStart } = paths;
  const { nodes, ending } = makeNodes(file, wiring, { terms, paths, cast, bodies });
  const edges = makeEdges(file, wiring, { terms, cast });
  const sources = Object.freeze(nodes.flatMap(({ index }) => (inDegree[index] === 0 ? [index] : [])));
  const sinks = Object.freeze(nodes.flatMap(({ index }) => (outStart[index] === outStart[index + 1] ? [index] : [])));
  const { groupSize, groupTokens, memory, aggregator, model, temperature } = file.defaults;
  const counted = { nodes, edges, inDegree, sinks, groupSize, groupTokens, aggregator: undefined };
  const merger = boundOfMerges(counted) > 0 && aggregator !== undefined ? cast.table.nameOf(aggregator) : undefined;
  return Object.freeze({
    director: "graph" as const,
    name: file.name,
    agents: cast.table.agents,
    limits: Object.freeze({ ...file.limits }),
    bound: boundOf(counted),
    ...{ nodes, edges, outStart, inDegree, sources, sinks, ending, groupSize, groupTokens, memory },
    aggregator: merger,
    aggregatorModel: model,
    productTemperature: temperatureAt(temperature, 1, 1),
  });
}

import type { NodeEntry } from "@troupe/schema";
import type { CompiledGraph } from "../compiled-topology.ts";
import { quote } from "../yaml/quote.ts";
import { graphPathOf, listCardUses } from "./card-uses.ts";
import { checkCards } from "./check-cards.ts";
import type { Cast } from "./make-edges.ts";
import { createProblemList, type ProblemList } from "./problem-list.ts";
import { drawProfiles } from "./profile-draw.ts";
import type { TopologyParts } from "./topology-parts.ts";

/** How deep graphs may lie in each other. */
const mostDepth = 8;

/** Compiles a graph of parts that lies inside another. */
export type CompileInner = (parts: TopologyParts, list: ProblemList, cast: Cast, place: GraphPlace) => CompiledGraph | undefined;

/** Where a graph stands: around all others, in a file that a node names, or written in a node, with the defaults of what is around it. */
export type GraphPlace = "outermost" | "file" | "node";

/** Compiles the graphs inside the nodes of a file, by the place of the node's entry. */
export function compileInnerGraphs(
  parts: TopologyParts,
  { list, cast, compile }: { list: ProblemList; cast: Cast; compile: CompileInner },
): Map<number, CompiledGraph> {
  const bodies = new Map<number, CompiledGraph>();
  for (const [i, entry] of (parts.file.nodes ?? []).entries()) {
    const use = entry.graph ?? entry.loop?.graph;
    if (use === undefined) continue;
    const path = ["nodes", i, ...graphPathOf(entry)];
    const inner = typeof use === "string" ? compileFile(use, path, parts, { list, cast, compile }) : undefined;
    const written = typeof use === "string" ? undefined : compile(inPlace(parts, use), list.below(path), cast, "node");
    const body = inner ?? written;
    if (body !== undefined) bodies.set(i, body);
  }
  return bodies;
}

function inPlace(parts: TopologyParts, use: Exclude<NodeEntry["graph"], string | undefined>): TopologyParts {
  const { shape: _shape, nodes: _nodes, edges: _edges, ...file } = parts.file;
  return { ...parts, file: { ...file, ...use } };
}

/** A topology file as the graph of a node; what is wrong in it is told at its own places. */
function compileFile(
  name: string,
  path: (string | number)[],
  parts: TopologyParts,
  { list, cast, compile }: { list: ProblemList; cast: Cast; compile: CompileInner },
): CompiledGraph | undefined {
  const found = parts.graphs.get(name);
  const within = [...parts.within, name];
  if (parts.within.includes(name) || within.length > mostDepth) {
    const message = parts.within.includes(name)
      ? `graphs lie in each other without end: ${within.join(" -> ")}`
      : `graphs lie in each other more than ${mostDepth} deep`;
    list.add({ path, message, expected: "a graph that does not lead back to itself" });
    return undefined;
  }
  if (found === undefined) list.add({ path, message: `there is no topology ${quote(name)}`, code: "file_missing" });
  if (found === undefined || found === "faulty") return undefined;
  const { file, source } = found;
  if (file.director !== "graph") {
    list.add({ path, message: `${quote(name)} has the director ${file.director}`, expected: "a topology with `director: graph`" });
    return undefined;
  }
  const own = createProblemList(source);
  checkCards(listCardUses(file), parts.cards, own);
  const draw = file.defaults.profiles === undefined ? cast.draw : drawProfiles(file, parts.pools);
  const body = compile({ ...parts, file, within }, own, { ...cast, draw }, "file");
  list.take(own.all);
  return body;
}

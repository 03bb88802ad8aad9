import type { NodeEntry, TopologyFile } from "@troupe/schema";
import type { CompiledGraph } from "../compiled-topology.ts";
import type { DocumentPath } from "../yaml/place.ts";
import { quote } from "../yaml/quote.ts";
import { graphPathOf, listCardUses, listInnerFiles } from "./card-uses.ts";
import { checkCards } from "./check-cards.ts";
import type { Cast } from "./make-edges.ts";
import { createProblemList, type ProblemList } from "./problem-list.ts";
import { drawProfiles } from "./profile-draw.ts";
import type { TopologyParts } from "./topology-parts.ts";

/** How deep graphs may lie in each other. */
const mostDepth = 8;

/** How many nodes and edges may be compiled for the graphs inside nodes, before another one is begun. */
const mostParts = 2_000_000;

/** Compiles a graph of parts that lies inside another. */
export type CompileInner = (parts: TopologyParts, list: ProblemList, cast: Cast, place: GraphPlace) => CompiledGraph | undefined;

/** Where a graph stands: around all others, in a file that a node names, or written in a node, with the defaults of what is around it. */
export type GraphPlace = "outermost" | "file" | "node";

/** What is known of the graphs inside nodes, over all of a topology. */
export interface InnerGraphs {
  /** Graphs in files that come out the same wherever they are named; undefined: there is something wrong with it, which was told. */
  readonly files: Map<string, CompiledGraph | undefined>;
  /** Nodes and edges of all that were compiled. */
  parts: number;
}

interface Compiling {
  readonly list: ProblemList;
  readonly cast: Cast;
  readonly compile: CompileInner;
}

/** Compiles the graphs inside the nodes of a file, by the place of the node's entry. */
export function compileInnerGraphs(parts: TopologyParts, compiling: Compiling): Map<number, CompiledGraph> {
  const bodies = new Map<number, CompiledGraph>();
  for (const [i, entry] of (parts.file.nodes ?? []).entries()) {
    const use = entry.graph ?? entry.loop?.graph;
    if (use === undefined) continue;
    const path = ["nodes", i, ...graphPathOf(entry)];
    const { list, cast } = compiling;
    if (cast.inner.parts > mostParts) {
      const message = `the graphs inside nodes have more than ${mostParts} nodes and edges together`;
      list.add({ path, message, expected: "smaller graphs, or fewer nodes that hold one" });
      break;
    }
    const body = compileUse(use, path, parts, compiling);
    if (body === undefined) continue;
    bodies.set(i, body);
    if (entry.loop === undefined || body.bound > 0) continue;
    const message = "nobody works in the loop: all of its rounds give the same at once";
    list.add({ path, message, expected: "a graph with an agent or a person" });
  }
  return bodies;
}

type GraphUse = NonNullable<NodeEntry["graph"]>;

function compileUse(use: GraphUse, path: DocumentPath, parts: TopologyParts, compiling: Compiling): CompiledGraph | undefined {
  if (typeof use === "string") return compileFile(use, path, parts, compiling);
  const { list, cast, compile } = compiling;
  const body = compile(inPlace(parts, use), list.below(path), cast, "node");
  if (body !== undefined) cast.inner.parts += sizeOf(body);
  return body;
}

function inPlace(parts: TopologyParts, use: Exclude<GraphUse, string>): TopologyParts {
  const { shape: _shape, nodes: _nodes, edges: _edges, ...file } = parts.file;
  return { ...parts, file: { ...file, ...use } };
}

function sizeOf({ nodes, edges }: CompiledGraph): number {
  return nodes.length + edges.length;
}

/** A topology file as the graph of a node; what is wrong in it is told at its own places. */
function compileFile(
  name: string,
  path: DocumentPath,
  parts: TopologyParts,
  { list, cast, compile }: Compiling,
): CompiledGraph | undefined {
  const within = [...parts.within, name];
  // That was told before.
  if (parts.within.includes(name) || within.length > mostDepth) return undefined;
  const found = findFile(name, path, parts, list);
  if (found === undefined) return undefined;
  const { file, source } = found;
  // Profiles that are dealt from the hand of the graph around it make each use another graph.
  const hasOwnHand = file.defaults.profiles !== undefined;
  const isSame = hasOwnHand || !cast.isDealt;
  if (isSame && cast.inner.files.has(name)) return cast.inner.files.get(name);
  const own = createProblemList(source);
  checkCards(listCardUses(file), parts.cards, own);
  const hand = hasOwnHand ? { draw: drawProfiles(file, parts.pools), isDealt: true } : {};
  const body = compile({ ...parts, file, within }, own, { ...cast, ...hand }, "file");
  list.take(own.all);
  if (body !== undefined) cast.inner.parts += sizeOf(body);
  if (isSame) cast.inner.files.set(name, body);
  return body;
}

/** The topology of a name, if it can be the graph of a node. */
function findFile(name: string, path: DocumentPath, { graphs }: TopologyParts, list: ProblemList) {
  const found = graphs.get(name);
  if (found === undefined) list.add({ path, message: `there is no topology ${quote(name)}`, code: "file_missing" });
  if (found === undefined || found === "faulty") return undefined;
  const { director } = found.file;
  if (director === "graph") return found;
  list.add({ path, message: `${quote(name)} has the director ${director}`, expected: "a topology with `director: graph`" });
  return undefined;
}

/** Reports files that lead back to themselves, where they do, and those that lie in each other too deep. */
export function reportNesting({ file, graphs }: TopologyParts, list: ProblemList): void {
  const heights = new Map<string, number>();
  const heightOf = (name: string, within: readonly string[]): number => {
    const known = heights.get(name);
    const found = graphs.get(name);
    if (known !== undefined || found === undefined || found === "faulty") return known ?? 1;
    const own = createProblemList(found.source);
    const height = 1 + heightBelow(found.file, own, [...within, name]);
    list.take(own.all);
    heights.set(name, height);
    return height;
  };
  const heightBelow = (of: TopologyFile, own: ProblemList, within: readonly string[]): number => {
    let height = 0;
    for (const { file: name, path } of listInnerFiles(of)) {
      if (!within.includes(name)) height = Math.max(height, heightOf(name, within));
      else {
        const message = `graphs lie in each other without end: ${[...within, name].join(" -> ")}`;
        own.add({ path, message, expected: "a graph that does not lead back to itself" });
      }
      if (within.length > 0 || height <= mostDepth) continue;
      const expected = `at most ${mostDepth} files in each other`;
      own.add({ path, message: `graphs lie in each other more than ${mostDepth} deep`, expected });
      return height;
    }
    return height;
  };
  heightBelow(file, list, []);
}

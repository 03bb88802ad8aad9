import type { Shape, TopologyFile } from "@troupe/schema";
import type { Spot } from "../yaml/place.ts";
import { quote } from "../yaml/quote.ts";
import { cell, countNodes, type EdgeColumns, findEdge, generatedColumns, maxEdges, sortEdges } from "./edge-columns.ts";
import { type NodeTable, tableNodes } from "./node-table.ts";
import type { ProblemList } from "./problem-list.ts";
import { countShapeEdges, generateEdges } from "./shape-edges.ts";
import { readWrittenEdges } from "./written-edges.ts";

/** The nodes and edges of a topology before it is known who works on them. */
export interface Wiring {
  readonly nodes: NodeTable;
  /** Sorted by `from`, then `to`, each edge once. */
  readonly edges: EdgeColumns;
}

/** Makes nodes and edges of a file: those of its shape, changed by entries, or those it writes. */
export function wireNodes(file: TopologyFile, list: ProblemList): Wiring | undefined {
  if (file.shape === undefined && (file.nodes ?? []).length === 0) {
    const path = file.nodes === undefined ? [] : ["nodes"];
    list.add({ path, message: "the graph has no nodes", expected: "`shape`, or `nodes` and `edges`", hint: graphless(file) });
    return undefined;
  }
  if (file.shape !== undefined && !isPossible(file.shape, list)) return undefined;
  const nodes = tableNodes(file, list);
  const known = list.all.length;
  const written = readWrittenEdges(file.edges ?? [], nodes, list);
  if (file.shape !== undefined)
    return { nodes, edges: changeShape(sortEdges(generateEdges(file.shape), file.shape.size), written, file, list) };
  const edges = dropRepeated(sortEdges(written, nodes.ids.length), file, list);
  // A mistyped name in an edge leaves the node it meant alone: one problem is enough.
  if (list.all.length === known) reportIsolated({ nodes, edges }, list);
  return { nodes, edges };
}

/** Where an edge stands in the file; its target when the file writes the edge in the short form. */
export function spotOf({ entry, offset }: EdgeColumns, edge: number, file: TopologyFile): Spot {
  const index = cell(entry, edge);
  const path = ["edges", index];
  return typeof file.edges?.[index] === "string" ? { path, offset: cell(offset, edge) } : { path };
}

function graphless(file: TopologyFile): string {
  return file.agents === undefined ? "shape: { kind: chain, size: 3 }" : "`agents` needs `director: fixed`";
}

function isPossible(shape: Shape, list: ProblemList): boolean {
  const edges = countShapeEdges(shape);
  if (edges > maxEdges) {
    list.add({ path: ["shape"], message: `this shape has ${edges} edges`, expected: `at most ${maxEdges}` });
  }
  const layers = shape.kind === "layer" ? (shape.layers ?? 0) : 0;
  if (layers > shape.size) {
    list.add({
      path: ["shape", "layers"],
      message: `${layers} layers for ${shape.size} nodes`,
      expected: "at least one node in each layer",
    });
  }
  return edges <= maxEdges && layers <= shape.size;
}

/** Marks the generated edges that the file says something about. */
function changeShape(edges: EdgeColumns, written: EdgeColumns, file: TopologyFile, list: ProblemList): EdgeColumns {
  for (const [i, from] of written.from.entries()) {
    const to = cell(written.to, i);
    const spot = spotOf(written, i, file);
    const edge = findEdge(edges, [from, to]);
    const name = `${from + 1} -> ${to + 1}`;
    if (edge === undefined) {
      const turned = findEdge(edges, [to, from]) === undefined ? {} : { hint: `did you mean ${to + 1} -> ${from + 1}?` };
      list.add({
        ...spot,
        message: `the shape has no edge ${name}`,
        expected: "an edge of the shape: entries change edges, they add none",
        ...turned,
      });
    } else if (cell(edges.entry, edge) >= 0) {
      list.add({ ...spot, message: repeated(name, cell(edges.entry, edge), list), expected: "each edge once" });
    } else {
      edges.entry[edge] = cell(written.entry, i);
    }
  }
  return edges;
}

function dropRepeated(edges: EdgeColumns, file: TopologyFile, list: ProblemList): EdgeColumns {
  const ids = (file.nodes ?? []).map((node) => node.id);
  const kept: number[] = [];
  for (const [i, from] of edges.from.entries()) {
    const last = kept.at(-1);
    const to = cell(edges.to, i);
    if (last !== undefined && edges.from[last] === from && edges.to[last] === to) {
      const name = `${ids[from] ?? ""} -> ${ids[to] ?? ""}`;
      list.add({ ...spotOf(edges, i, file), message: repeated(name, cell(edges.entry, last), list), expected: "each edge once" });
    } else kept.push(i);
  }
  if (kept.length === edges.from.length) return edges;
  const unique = generatedColumns(kept.length);
  for (const column of ["from", "to", "entry", "offset"] as const) unique[column].set(kept.map((i) => cell(edges[column], i)));
  return unique;
}

function repeated(name: string, entry: number, list: ProblemList): string {
  return `the edge ${name} stands twice: first on ${list.source.mark(["edges", entry])}`;
}

function reportIsolated({ nodes, edges }: Wiring, list: ProblemList): void {
  if (edges.from.length === 0) return;
  const out = countNodes(edges.from, nodes.ids.length);
  const into = countNodes(edges.to, nodes.ids.length);
  for (const [i, id] of nodes.ids.entries()) {
    if (cell(out, i) + cell(into, i) > 0) continue;
    const path = ["nodes", nodes.entryOf.get(i) ?? 0];
    list.add({ path, message: `no edge touches the node ${quote(id)}`, expected: "every node on an edge, or no edges at all" });
  }
}

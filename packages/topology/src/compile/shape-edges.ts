import { createRandom, type Shape } from "@troupe/schema";
import { type EdgeColumns, generatedColumns } from "./edge-columns.ts";

/** An edge between node indices. */
type Edge = readonly [from: number, to: number];

/**
 * How many edges a shape has, without making them.
 *
 * @returns edges; 0 for one node, whatever the shape.
 */
export function countShapeEdges(shape: Shape): number {
  const n = shape.size;
  switch (shape.kind) {
    case "chain":
    case "star":
    case "tree":
      return n - 1;
    case "mesh":
      return (n * (n - 1)) / 2;
    case "layer":
      return layerSizes(shape).reduce((sum, size, i, all) => sum + size * (all[i + 1] ?? 0), 0);
    case "random":
      return n - 1 + keptBeyondTree(shape);
  }
}

/** Makes the edges of a shape, in the order of `from`, then `to` unless reversed. */
export function generateEdges(shape: Shape): EdgeColumns {
  const columns = generatedColumns(countShapeEdges(shape));
  const [from, to] = shape.reverse ? [columns.to, columns.from] : [columns.from, columns.to];
  let i = 0;
  for (const [u, v] of edgesOf(shape)) {
    from[i] = u;
    to[i] = v;
    i++;
  }
  return columns;
}

/**
 * Sizes of the layers of a `layer` shape, in order: ⌊log2 n⌋ layers unless it says otherwise, the remainder in the first
 * (MacNet, arXiv 2406.07155).
 */
export function layerSizes(shape: Extract<Shape, { kind: "layer" }>): number[] {
  const layers = Math.min(shape.layers ?? Math.max(1, Math.floor(Math.log2(shape.size))), shape.size);
  const each = Math.floor(shape.size / layers);
  return Array.from({ length: layers }, (_, i) => (i === 0 ? each + (shape.size % layers) : each));
}

function edgesOf(shape: Shape): Iterable<Edge> {
  switch (shape.kind) {
    case "chain":
      return childEdges(shape.size, (v) => v - 1);
    case "star":
      return childEdges(shape.size, () => 0);
    case "tree":
      return childEdges(shape.size, (v) => Math.floor((v - 1) / shape.branching));
    case "mesh":
      return meshEdges(shape.size);
    case "layer":
      return layerEdges(layerSizes(shape));
    case "random":
      return randomEdges(shape);
  }
}

/** One edge into every node but the first. */
function* childEdges(size: number, parentOf: (node: number) => number): Generator<Edge> {
  for (let v = 1; v < size; v++) yield [parentOf(v), v];
}

/** An edge from every node to every later one. */
function* meshEdges(size: number): Generator<Edge> {
  for (let u = 0; u < size; u++) for (let v = u + 1; v < size; v++) yield [u, v];
}

/** Every node of a layer to every node of the next. */
function* layerEdges(sizes: readonly number[]): Generator<Edge> {
  let start = 0;
  for (const [i, size] of sizes.entries()) {
    const next = start + size;
    const end = next + (sizes[i + 1] ?? 0);
    for (let u = start; u < next; u++) for (let v = next; v < end; v++) yield [u, v];
    start = next;
  }
}

/**
 * A random connected graph: every node but the first has an edge from one earlier node (a spanning tree), and of all other
 * edges of the mesh the given share is kept, each set of them equally likely (selection sampling, Knuth, TAOCP 3.4.2 S).
 */
function* randomEdges(shape: Extract<Shape, { kind: "random" }>): Generator<Edge> {
  const random = createRandom(shape.seed, "random shape");
  const parents = Array.from({ length: shape.size }, (_, v) => random.integer(v));
  let left = (shape.size * (shape.size - 1)) / 2 - (shape.size - 1);
  let wanted = keptBeyondTree(shape);
  for (const edge of meshEdges(shape.size)) {
    const isTree = parents[edge[1]] === edge[0];
    const isKept = !isTree && random.next() * left < wanted;
    if (isTree || isKept) yield edge;
    if (!isTree) left--;
    if (isKept) wanted--;
  }
}

function keptBeyondTree({ size, density }: Extract<Shape, { kind: "random" }>): number {
  return Math.round(density * ((size * (size - 1)) / 2 - (size - 1)));
}

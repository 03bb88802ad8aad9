import { type Shape, shape as shapeSchema } from "@troupe/schema";
import fc from "fast-check";
import { expect, it } from "vitest";
import { countShapeEdges, generateEdges, layerSizes } from "./shape-edges.ts";

function edges(shape: unknown): [number, number][] {
  const { from, to } = generateEdges(shapeSchema.parse(shape));
  return Array.from(from, (u, i) => [u, to[i] ?? -1]);
}

const size = fc.integer({ min: 1, max: 40 });
const reverse = fc.boolean();
const anyShape: fc.Arbitrary<Shape> = fc.oneof(
  fc.record({ kind: fc.constantFrom("chain", "star", "mesh"), size, reverse }),
  fc.record({ kind: fc.constant("tree"), size, reverse, branching: fc.integer({ min: 1, max: 5 }) }),
  fc.record({ kind: fc.constant("layer"), size, reverse }),
  fc.record({
    kind: fc.constant("random"),
    size,
    reverse,
    seed: fc.nat(),
    density: fc.double({ min: 0, max: 1, noNaN: true }),
  }),
);

it("generateEdges() makes the shapes of MacNet", () => {
  expect(edges({ kind: "chain", size: 4 })).toEqual([
    [0, 1],
    [1, 2],
    [2, 3],
  ]);
  expect(edges({ kind: "star", size: 4 })).toEqual([
    [0, 1],
    [0, 2],
    [0, 3],
  ]);
  expect(edges({ kind: "tree", size: 6 })).toEqual([
    [0, 1],
    [0, 2],
    [1, 3],
    [1, 4],
    [2, 5],
  ]);
  expect(edges({ kind: "tree", size: 5, branching: 3 })).toEqual([
    [0, 1],
    [0, 2],
    [0, 3],
    [1, 4],
  ]);
  expect(edges({ kind: "mesh", size: 3 })).toEqual([
    [0, 1],
    [0, 2],
    [1, 2],
  ]);
  expect(edges({ kind: "layer", size: 5 })).toEqual([
    [0, 3],
    [0, 4],
    [1, 3],
    [1, 4],
    [2, 3],
    [2, 4],
  ]);
  expect(edges({ kind: "star", size: 3, reverse: true })).toEqual([
    [1, 0],
    [2, 0],
  ]);
});

it.each([
  [1, undefined, [1]],
  [3, undefined, [3]],
  [9, undefined, [3, 3, 3]],
  [50, undefined, [10, 10, 10, 10, 10]],
  [11, 3, [5, 3, 3]],
  [4, 4, [1, 1, 1, 1]],
])("layerSizes() of %i nodes in %s layers is %j", (nodes, layers, sizes) => {
  const shape = shapeSchema.parse({ kind: "layer", size: nodes, ...(layers !== undefined && { layers }) });
  expect(shape.kind === "layer" && layerSizes(shape)).toEqual(sizes);
});

it("generateEdges() makes as many edges as countShapeEdges() says, each once and none to itself", () => {
  fc.assert(
    fc.property(anyShape, (shape) => {
      const all = edges(shape);
      expect(all).toHaveLength(countShapeEdges(shape));
      expect(new Set(all.map(([u, v]) => `${u} ${v}`)).size).toBe(all.length);
      expect(all.every(([u, v]) => (shape.reverse ? v < u : u < v) && Math.max(u, v) < shape.size)).toBe(true);
    }),
  );
});

it("generateEdges() gives one node no edges, whatever the shape", () => {
  for (const kind of ["chain", "star", "tree", "mesh", "layer", "random"]) expect(edges({ kind, size: 1 })).toEqual([]);
});

it("generateEdges() turned round twice is the shape again", () => {
  fc.assert(
    fc.property(anyShape, (shape) => {
      const turned = edges({ ...shape, reverse: !shape.reverse });
      expect(turned.map(([u, v]) => [v, u])).toEqual(edges(shape));
    }),
  );
});

it("generateEdges() joins every random graph into one piece", () => {
  fc.assert(
    fc.property(size, fc.nat(), fc.double({ min: 0, max: 1, noNaN: true }), (nodes, seed, density) => {
      const all = edges({ kind: "random", size: nodes, seed, density });
      const before = new Set(all.map(([, v]) => v));
      // Every node but the first has an edge from an earlier one, so the first reaches them all.
      expect(before.size).toBe(nodes - 1);
      const beyond = (nodes * (nodes - 1)) / 2 - (nodes - 1);
      expect(all).toHaveLength(nodes - 1 + Math.round(density * beyond));
    }),
  );
});

it("generateEdges() makes a random graph from its seed alone, a tree at density 0 and the mesh at 1", () => {
  const random = (seed: number, density: number) => edges({ kind: "random", size: 30, seed, density });
  expect(random(1, 0.4)).toEqual(random(1, 0.4));
  expect(random(1, 0.4)).not.toEqual(random(2, 0.4));
  expect(random(1, 0)).toHaveLength(29);
  expect(random(1, 1)).toEqual(edges({ kind: "mesh", size: 30 }));
});

it("generateEdges() keeps every edge beyond the tree with the same likelihood", () => {
  const seen = new Map<string, number>();
  const runs = 2000;
  for (let seed = 0; seed < runs; seed++) {
    for (const [u, v] of edges({ kind: "random", size: 4, seed, density: 1 / 3 })) seen.set(`${u}${v}`, (seen.get(`${u}${v}`) ?? 0) + 1);
  }
  // Of v's possible edges one is the tree's, and a third of the rest is kept: 1/v + (1 - 1/v)/3 each.
  const share = (edge: string, v: number) => Math.abs((seen.get(edge) ?? 0) / runs - (1 / v + (1 - 1 / v) / 3));
  expect(share("01", 1)).toBe(0);
  for (const edge of ["02", "12"]) expect(share(edge, 2)).toBeLessThan(0.05);
  for (const edge of ["03", "13", "23"]) expect(share(edge, 3)).toBeLessThan(0.05);
});

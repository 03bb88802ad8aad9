import { workName } from "./part-names.ts";
import type { CompiledTopology } from "../compiled-topology.ts";
import { type Box, type Drawing, mergesAt, type Point, tonesOf, type Wire } from "./drawing.ts";
import { measureTopology } from "./measure-topology.ts";

const mostWires = 12_000;
const page = { width: 1100, ratio: 1.6 };

/** Nodes and edges without names, for any topology. */
interface Plain {
  readonly nodes: readonly { readonly depth: number; readonly id: string; readonly agent: string }[];
  readonly edges: readonly { readonly from: number; readonly to: number }[];
}

/**
 * Lays out a topology that is too large or too dense to be read edge by edge: dots in rows by depth. Edges that skip rows
 * bow outwards, the farther the longer they are; of very many edges an even sample is drawn.
 */
export function layoutLayers(topology: CompiledTopology): Drawing {
  const { nodes, edges } = plainOf(topology);
  const tones = tonesOf(topology);
  const { depth, width } = measureTopology(topology);
  const step = { across: Math.min(46, page.width / Math.max(1, width)), down: Math.min(56, page.width / page.ratio / Math.max(1, depth)) };
  const radius = Math.max(1.5, Math.min(14, Math.min(step.across, step.down) * 0.34));
  const across = acrossOf({ nodes, edges });
  const places = nodes.map((node, i): Point => ({ x: (across[i] ?? 0) * step.across, y: node.depth * step.down }));
  const every = Math.max(1, Math.ceil(edges.length / mostWires));
  const wires = edges
    .filter((_, i) => i % every === 0)
    .map(({ from, to }): Wire => {
      const [a = { x: 0, y: 0 }, b = { x: 0, y: 0 }] = [places[from], places[to]];
      const rows = (nodes[to]?.depth ?? 0) - (nodes[from]?.depth ?? 0);
      return { points: [a, ...bow(a, b, { rows, side: (from + to) % 2 === 0 ? 1 : -1, depth }), b], badge: undefined };
    });
  const boxes = nodes.map(({ id, agent }, i): Box => {
    const at = places[i] ?? { x: 0, y: 0 };
    return {
      ...at,
      width: radius * 2,
      height: radius * 2,
      title: id,
      subtitle: agent,
      tone: tones.get(agent) ?? 0,
      merges: mergesAt(topology, i),
    };
  });
  return moveIntoView({ boxes, wires }, radius);
}

function plainOf(topology: CompiledTopology): Plain {
  if (topology.director === "graph")
    return { nodes: topology.nodes.map((node) => ({ ...node, agent: workName(node) })), edges: topology.edges };
  const nodes = topology.sequence.map((agent, i) => ({ depth: i, id: String(i + 1), agent }));
  return { nodes, edges: nodes.slice(1).map((_, i) => ({ from: i, to: i + 1 })) };
}

/** Places in a row, the row's middle at 0: each node near the mean of those before it, so that edges cross little. */
function acrossOf({ nodes, edges }: Plain): Float64Array {
  const rows: number[][] = [];
  for (const [i, { depth }] of nodes.entries()) {
    const row = rows[depth] ?? [];
    rows[depth] = row;
    row.push(i);
  }
  const before: number[][] = nodes.map(() => []);
  for (const { from, to } of edges) if ((before[to]?.length ?? 0) < 64) before[to]?.push(from);
  const across = new Float64Array(nodes.length);
  for (const row of rows) {
    const wish = new Map(row.map((i) => [i, meanOf(before[i] ?? [], across)]));
    row.sort((a, b) => (wish.get(a) ?? 0) - (wish.get(b) ?? 0) || a - b);
    for (const [place, i] of row.entries()) across[i] = place - (row.length - 1) / 2;
  }
  return across;
}

function meanOf(nodes: readonly number[], across: Float64Array): number {
  return nodes.length === 0 ? 0 : nodes.reduce((sum, i) => sum + (across[i] ?? 0), 0) / nodes.length;
}

/** The middle of an edge that skips rows, beside the straight line. */
function bow(a: Point, b: Point, { rows, side, depth }: { rows: number; side: number; depth: number }): Point[] {
  if (rows <= 1) return [];
  const far = side * (page.width / 2) * (rows / Math.max(4, depth)) ** 0.8;
  return [{ x: (a.x + b.x) / 2 + far, y: (a.y + b.y) / 2 }];
}

function moveIntoView({ boxes, wires }: Pick<Drawing, "boxes" | "wires">, margin: number): Drawing {
  const left = lowest(boxes, wires, ({ x }) => x) - margin;
  const top = lowest(boxes, wires, ({ y }) => y) - margin;
  const move = <T extends Point>(point: T): T => ({ ...point, x: point.x - left, y: point.y - top });
  return {
    width: -lowest(boxes, wires, ({ x }) => -x) + margin - left,
    height: -lowest(boxes, wires, ({ y }) => -y) + margin - top,
    direction: "down",
    boxes: boxes.map(move),
    wires: wires.map((wire) => ({ ...wire, points: wire.points.map(move) })),
  };
}

function lowest(boxes: readonly Point[], wires: readonly Wire[], of: (point: Point) => number): number {
  let low = 0;
  for (const box of boxes) low = Math.min(low, of(box));
  for (const { points } of wires) {
    const [a, pull, b] = points;
    // A curve goes half the way to the point that pulls it.
    if (a && pull && b) low = Math.min(low, (of(a) + 2 * of(pull) + of(b)) / 4);
  }
  return low;
}

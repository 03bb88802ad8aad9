import type { CompiledTopology } from "../compiled-topology.ts";
import { dockWire } from "./dock-wire.ts";
import { type Box, type Drawing, mergesAt, textWidth, tonesOf, type Wire } from "./drawing.ts";
import { type GraphModel, toGraphology } from "./graph-model.ts";
import { measureTopology } from "./measure-topology.ts";
import { isBackwards, mirrored } from "./mirror-layout.ts";
import { layoutRanks } from "./rank-layout.ts";

const boxHeight = 46;
const gap = { node: 24, rank: 54, edge: 16 };
const page = { width: 1600, ratio: 1.6 };
const mostNamedBadges = 24;

/** Lays out a topology of readable size: boxes in ranks, edges around them. */
export function layoutBoxes(topology: CompiledTopology): Drawing {
  const model = toGraphology(topology);
  const tones = tonesOf(topology);
  const width = Math.max(76, ...model.mapNodes((_, { label, agent }) => Math.max(textWidth(label, 14), textWidth(agent, 11)) + 28));
  const direction = directionOf(topology, width);
  const badges = badgeTexts(model);
  const laid = layoutRanks({
    direction,
    gap,
    nodes: model.mapNodes((key) => ({ key, width, height: boxHeight })),
    edges: model.mapEdges((edge, _, from, to) => ({ from, to, ...badgeSize(badges.get(edge)) })),
  });
  const frame = { direction, width: laid.width, height: laid.height };
  const isTurned = isBackwards(laid.nodes, direction);
  const place: typeof mirrored = (at) => (isTurned ? mirrored(at, frame) : at);
  const boxes = model.mapNodes((key, { label, agent }): Box => {
    const at = place(laid.nodes[Number(key)] ?? origin, frame);
    return {
      ...at,
      width,
      height: boxHeight,
      title: label,
      subtitle: agent,
      tone: tones.get(agent) ?? 0,
      merges: mergesAt(topology, Number(key)),
    };
  });
  const wires = model.edges().map((edge, i): Wire => {
    const { points, label } = laid.edges[i] ?? { points: [], label: origin };
    const inner = points.slice(1, -1).map((point) => place(point, frame));
    const [from, to] = model.extremities(edge).map((key) => boxes[Number(key)]);
    const text = badges.get(edge);
    const badge = text === undefined ? undefined : { ...place(label, frame), text, width: badgeSize(text).width };
    return { points: from && to ? dockWire(inner, { from, to }, direction) : inner, badge };
  });
  return { ...frame, boxes, wires };
}

const origin = { x: 0, y: 0 };

/** The direction that gives the drawing the shape of a page, or, when none does, lets it be scrolled downwards. */
function directionOf(topology: CompiledTopology, boxWidth: number): Drawing["direction"] {
  const { depth, width } = measureTopology(topology);
  const down = { width: width * (boxWidth + gap.node), height: (depth + 1) * (boxHeight + gap.rank) };
  const right = { width: (depth + 1) * (boxWidth + gap.rank), height: width * (boxHeight + gap.node) };
  const distance = (size: typeof down) => Math.abs(Math.log(size.width / size.height / page.ratio));
  const best = distance(down) <= distance(right) ? down : right;
  const chosen = best.width <= page.width ? best : down.width <= right.width ? down : right;
  return chosen === down ? "down" : "right";
}

/** What the badges of edges say: critics, conditions and the like; nothing when there are so many that only dots fit. */
function badgeTexts(model: GraphModel): Map<string, string> {
  const noted = model.filterEdges((_edge, { note }) => note !== undefined);
  const isNamed = noted.length <= mostNamedBadges;
  return new Map(noted.map((edge) => [edge, isNamed ? (model.getEdgeAttributes(edge).note ?? "") : ""]));
}

function badgeSize(text: string | undefined): { width: number; height: number } {
  if (text === undefined) return { width: 0, height: 0 };
  return { width: text === "" ? 10 : textWidth(text, 10.5) + 16, height: 20 };
}

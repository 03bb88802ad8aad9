import dagre from "@dagrejs/dagre";
import type { CompiledTopology } from "../compiled-topology.ts";
import { dockWire } from "./dock-wire.ts";
import { type Box, type Drawing, mergesAt, type Point, textWidth, tonesOf, type Wire } from "./drawing.ts";
import { type GraphModel, toGraphology } from "./graph-model.ts";
import { measureTopology } from "./measure-topology.ts";
import { isBackwards, mirrored } from "./mirror-layout.ts";

const boxHeight = 46;
const gap = { node: 24, rank: 54, edge: 16 };
const page = { width: 1600, ratio: 1.6 };
const mostNamedBadges = 24;

/** Lays out a topology of readable size: boxes in ranks, edges around them (dagre). */
export function layoutBoxes(topology: CompiledTopology): Drawing {
  const model = toGraphology(topology);
  const tones = tonesOf(topology);
  const width = Math.max(76, ...model.mapNodes((_, { label, agent }) => Math.max(textWidth(label, 14), textWidth(agent, 11)) + 28));
  const direction = directionOf(topology, width);
  const graph = new dagre.graphlib.Graph();
  graph.setGraph({ rankdir: direction === "down" ? "TB" : "LR", nodesep: gap.node, ranksep: gap.rank, edgesep: gap.edge });
  graph.setDefaultEdgeLabel(() => ({}));
  model.forEachNode((key) => graph.setNode(key, { width, height: boxHeight }));
  const texts = badgeTexts(model);
  model.forEachEdge((edge, _attributes, from, to) => {
    const text = texts.get(edge);
    const size = text === undefined ? {} : { width: badgeWidth(text), height: 20, labelpos: "c" };
    graph.setEdge(from, to, { ...size });
  });
  dagre.layout(graph);
  const { width: across = 0, height: down = 0 } = graph.graph();
  const frame = { direction, width: across, height: down };
  const turn = isBackwards(
    model.mapNodes((key) => toPoint(graph.node(key))),
    direction,
  );
  const place = (at: Parameters<typeof toPoint>[0]): Point => (turn ? mirrored(toPoint(at), frame) : toPoint(at));
  const boxes = model.mapNodes((key, { label, agent }): Box => {
    const at = place(graph.node(key));
    const merges = mergesAt(topology, Number(key));
    return { ...at, width, height: boxHeight, title: label, subtitle: agent, tone: tones.get(agent) ?? 0, merges };
  });
  const wires = model.mapEdges((edge, _attributes, from, to): Wire => {
    const laid = graph.edge(from, to);
    const inner = (laid.points ?? []).slice(1, -1).map((point: Point) => place(point));
    const [start, end] = [boxes[Number(from)], boxes[Number(to)]];
    const text = texts.get(edge);
    const badge = text === undefined ? undefined : { ...place(laid), text, width: badgeWidth(text) };
    return { points: start && end ? dockWire(inner, { from: start, to: end }, direction) : inner, badge };
  });
  return { ...frame, boxes, wires };
}

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

/** What the critics' badges say; only dots when there are many. */
function badgeTexts(model: GraphModel): Map<string, string> {
  const withCritic = model.filterEdges((_edge, { critic }) => critic !== undefined);
  const isNamed = withCritic.length <= mostNamedBadges;
  return new Map(
    withCritic.map((edge) => {
      const { critic = "", rounds } = model.getEdgeAttributes(edge);
      return [edge, isNamed ? `${critic}${rounds === 1 ? "" : ` ×${rounds}`}` : ""];
    }),
  );
}

function badgeWidth(text: string): number {
  return text === "" ? 10 : textWidth(text, 10.5) + 16;
}

function toPoint({ x = 0, y = 0 }: { x?: number | undefined; y?: number | undefined }): Point {
  return { x, y };
}

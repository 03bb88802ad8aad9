import { graphlib, layout } from "@dagrejs/dagre";
import type { Point } from "./drawing.ts";

/** What is to be laid out. */
export interface RankInput {
  readonly direction: "down" | "right";
  readonly nodes: readonly { readonly key: string; readonly width: number; readonly height: number }[];
  /** Edges, each with the size of what is written on it. */
  readonly edges: readonly { readonly from: string; readonly to: string; readonly width: number; readonly height: number }[];
  readonly gap: { readonly node: number; readonly rank: number; readonly edge: number };
}

/** Where it was laid: middles of the nodes, and for each edge its bends and the middle of what is written on it. */
export interface RankOutput {
  readonly width: number;
  readonly height: number;
  readonly nodes: readonly Point[];
  readonly edges: readonly { readonly points: readonly Point[]; readonly label: Point }[];
}

/** The part of dagre's graph that is used here; its own types don't resolve under `nodenext`. */
interface RankGraph {
  setGraph(options: Record<string, unknown>): void;
  setNode(key: string, size: { width: number; height: number }): void;
  setEdge(from: string, to: string, label: { width: number; height: number; labelpos: "c" }): void;
  node(key: string): Point;
  edge(from: string, to: string): Point & { points: readonly Point[] };
  graph(): { width: number; height: number };
}

/** Lays out a graph in ranks so that edges cross little (dagre, after Gansner et al., "A technique for drawing directed graphs"). */
export function layoutRanks({ direction, nodes, edges, gap }: RankInput): RankOutput {
  const graph = new (graphlib as unknown as { Graph: new () => RankGraph }).Graph();
  graph.setGraph({ rankdir: direction === "down" ? "TB" : "LR", nodesep: gap.node, ranksep: gap.rank, edgesep: gap.edge });
  for (const { key, width, height } of nodes) graph.setNode(key, { width, height });
  for (const { from, to, width, height } of edges) graph.setEdge(from, to, { width, height, labelpos: "c" });
  (layout as (graph: RankGraph) => void)(graph);
  const { width, height } = graph.graph();
  return {
    width,
    height,
    nodes: nodes.map(({ key }) => pointOf(graph.node(key))),
    edges: edges.map(({ from, to }) => {
      const laid = graph.edge(from, to);
      return { points: laid.points.map(pointOf), label: pointOf(laid) };
    }),
  };
}

function pointOf({ x, y }: Point): Point {
  return { x, y };
}

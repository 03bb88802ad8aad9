import type { CompiledTopology } from "../compiled-topology.ts";
import { workName } from "./part-names.ts";

/** A point in pixels from the top left corner. */
export interface Point {
  readonly x: number;
  readonly y: number;
}

/** A node of a drawing; `x` and `y` are its middle. */
export interface Box extends Point {
  readonly width: number;
  readonly height: number;
  readonly title: string;
  readonly subtitle: string;
  /** Number of its agent among the actors: which colour it has. */
  readonly tone: number;
  /** Where artifacts are merged: before the node, or with those of the other sinks behind it. */
  readonly merges: { readonly before: boolean; readonly behind: boolean };
}

/** An edge of a drawing. */
export interface Wire {
  /** From the border of a box to the border of another. */
  readonly points: readonly Point[];
  /** The critic on it. */
  readonly badge: (Point & { readonly text: string; readonly width: number }) | undefined;
}

/** Where everything of a drawing is. */
export interface Drawing {
  readonly width: number;
  readonly height: number;
  readonly direction: "down" | "right";
  readonly boxes: readonly Box[];
  readonly wires: readonly Wire[];
}

/** The actors of a topology in the order of their first node: their colours. */
export function tonesOf(topology: CompiledTopology): Map<string, number> {
  const actors = topology.director === "graph" ? topology.nodes.map(workName) : topology.sequence;
  return new Map([...new Set(actors)].map((agent, i) => [agent, i]));
}

/** Shares of the type size that letters are wide, measured on common sans-serif types. */
const widths: readonly (readonly [letters: RegExp, width: number])[] = [
  [/[\u1100-\uffdc\u{1f000}-\u{3ffff}]/u, 1.05],
  [/[mwMW@%]/, 0.88],
  [/[A-Z0-9]/, 0.65],
  [/[ijl.,:;'|!]/, 0.27],
  [/[ frt()[\]-]/, 0.37],
];

/** About how wide a text is in the drawing's sans-serif type, in pixels. */
export function textWidth(text: string, size: number): number {
  let units = 0;
  for (const letter of text) units += widths.find(([letters]) => letters.test(letter))?.[1] ?? 0.56;
  return units * size;
}

/** Where artifacts are merged at a node. */
export function mergesAt(topology: CompiledTopology, node: number): Box["merges"] {
  if (topology.director === "fixed") return { before: false, behind: false };
  const { inDegree, outStart, sinks } = topology;
  return { before: (inDegree[node] ?? 0) > 1, behind: sinks.length > 1 && outStart[node] === outStart[node + 1] };
}

import type { CompiledTopology } from "../compiled-topology.ts";
import { drawDot } from "./draw-dot.ts";
import { drawMermaid } from "./draw-mermaid.ts";
import { drawSvg } from "./draw-svg.ts";

/** The formats that a topology can be drawn in. */
export type DrawFormat = "svg" | "dot" | "mermaid";

const drawers: Record<DrawFormat, (topology: CompiledTopology) => string> = { svg: drawSvg, dot: drawDot, mermaid: drawMermaid };

/**
 * Draws a topology as the text of a file in the given format.
 *
 * @example
 * await writeFile("review-chain.svg", drawTopology(graph, { format: "svg" }));
 */
export function drawTopology(topology: CompiledTopology, { format }: { format: DrawFormat }): string {
  return drawers[format](topology);
}

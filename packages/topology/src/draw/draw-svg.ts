import type { CompiledTopology } from "../compiled-topology.ts";
import { type Drawing, textWidth } from "./drawing.ts";
import { escapeXml } from "./escape-xml.ts";
import { keysOf, keysWidth, paintKeys } from "./svg-keys.ts";
import { layoutBoxes } from "./layout-boxes.ts";
import { layoutLayers } from "./layout-layers.ts";
import { measureTopology } from "./measure-topology.ts";
import { paintBadge, paintBox, paintDot, paintThinWires, paintWire, round } from "./svg-parts.ts";
import { svgStyle } from "./svg-style.ts";

const margin = 28;
const header = 62;
const most = { nodes: 120, rows: 150 };

/**
 * Draws a topology as an SVG file that stands alone and follows the reader's light or dark theme. Up to about a hundred nodes
 * are boxes with names and their critics as badges; larger and denser ones are dots.
 */
export function drawSvg(topology: CompiledTopology): string {
  const isLarge = rowsCrossed(topology) > most.rows || measureTopology(topology).nodes > most.nodes;
  const drawing = isLarge ? layoutLayers(topology) : layoutBoxes(topology);
  const keys = keysOf(topology);
  const titles = titlesOf(topology, drawing);
  const width = Math.ceil(Math.max(drawing.width, keysWidth(keys), textWidth(titles[1], 12), textWidth(titles[0], 17)) + 2 * margin);
  const height = Math.ceil(drawing.height + header + 2 * margin + 28);
  const left = (width - drawing.width) / 2;
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" width="${width}" height="${height}" role="img" aria-labelledby="t d">`,
    `<title id="t">${escapeXml(titles[0])}</title><desc id="d">${escapeXml(titles[1])}</desc><style>${svgStyle}</style>`,
    `<defs><marker id="head" viewBox="0 0 8 8" refX="7" refY="4" markerWidth="7" markerHeight="7" markerUnits="userSpaceOnUse" orient="auto"><path class="head" d="M0 0.6 7.6 4 0 7.4 1.6 4Z"/></marker></defs>`,
    `<rect class="page" width="${width}" height="${height}" rx="14"/>`,
    `<text class="title" x="${margin}" y="38">${escapeXml(titles[0])}</text><text class="sub" x="${margin}" y="58">${escapeXml(titles[1])}</text>`,
    `<g transform="translate(${round(left)} ${header + margin - 8})">`,
    ...(isLarge ? [...paintThinWires(drawing.wires), ...drawing.boxes.map(paintDot)] : paintReadable(drawing)),
    "</g>",
    paintKeys(keys, { left: margin, y: height - 22 }),
    "</svg>\n",
  ].join("\n");
}

function paintReadable({ boxes, wires, direction }: Drawing): string[] {
  return [...wires.map((wire) => paintWire(wire, direction)), ...boxes.map((box) => paintBox(box, direction)), ...wires.map(paintBadge)];
}

function titlesOf(topology: CompiledTopology, drawing: Drawing): [title: string, subtitle: string] {
  const { nodes, edges, depth } = measureTopology(topology);
  const parts = [count(nodes, "node"), count(edges, "edge"), `depth ${depth}`, `at most ${count(topology.bound, "activation")}`];
  if (drawing.wires.length < edges) parts.push(`${drawing.wires.length.toLocaleString("en")} of the edges shown`);
  return [topology.name, parts.join(" · ")];
}

function count(number: number, word: string): string {
  return `${number.toLocaleString("en")} ${word}${number === 1 ? "" : "s"}`;
}

/** Rows of the drawing that all edges together cross: what a layout that keeps edges apart has to do. */
function rowsCrossed(topology: CompiledTopology): number {
  if (topology.director === "fixed") return topology.sequence.length;
  const { nodes, edges } = topology;
  return edges.reduce((sum, { from, to }) => sum + (nodes[to]?.depth ?? 0) - (nodes[from]?.depth ?? 0), 0);
}

import type { CompiledTopology } from "../compiled-topology.ts";
import { measureTopology } from "./measure-topology.ts";
import { nameGraph } from "./name-graph.ts";

/** Draws a topology as a Mermaid flow chart. */
export function drawMermaid(topology: CompiledTopology): string {
  const { nodes, edges } = nameGraph(topology);
  const { depth, width } = measureTopology(topology);
  const keys = new Map(nodes.map(({ id }, i) => [id, `n${i}`]));
  return [
    `flowchart ${depth + 1 > width ? "LR" : "TB"}`,
    ...nodes.map(({ id, agent }) => `  ${keys.get(id)}("${escapeMermaid(id)}<br/>${escapeMermaid(agent)}")`),
    ...edges.map(
      ({ from, to, note }) => `  ${keys.get(from)} -->${note === undefined ? "" : `|"${escapeMermaid(note)}"|`} ${keys.get(to)}`,
    ),
    "",
  ].join("\n");
}

/** Everything but letters, digits and a few harmless signs as Mermaid's character codes. */
function escapeMermaid(text: string): string {
  return text.replace(/[^\p{L}\p{N} ._-]/gu, (sign) => `#${sign.codePointAt(0)};`);
}

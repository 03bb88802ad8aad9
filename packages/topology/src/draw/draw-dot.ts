import type { CompiledTopology } from "../compiled-topology.ts";
import { nameGraph } from "./name-graph.ts";

/** Draws a topology in the DOT language of Graphviz. */
export function drawDot(topology: CompiledTopology): string {
  const { nodes, edges } = nameGraph(topology);
  return [
    `digraph ${quoteDot(topology.name)} {`,
    '  rankdir=TB; node [shape=box, style="rounded", fontname="Helvetica"]; edge [fontname="Helvetica", fontsize=10];',
    ...nodes.map(({ id, agent }) => `  ${quoteDot(id)} [label=${quoteDot(`${id}\n${agent}`)}];`),
    ...edges.map(
      ({ from, to, note }) => `  ${quoteDot(from)} -> ${quoteDot(to)}${note === undefined ? "" : ` [label=${quoteDot(note)}]`};`,
    ),
    "}\n",
  ].join("\n");
}

function quoteDot(text: string): string {
  return `"${text.replace(/\\/g, "\\\\").replace(/"/g, '\\"').replace(/\r?\n/g, "\\n")}"`;
}

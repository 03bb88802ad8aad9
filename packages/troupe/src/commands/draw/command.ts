import { buildCommand } from "@stricli/core";
import { textFlag } from "../flags.ts";

/** `troupe draw`: a picture of a topology. */
export const drawCommand = buildCommand({
  loader: async () => (await import("./draw.ts")).draw,
  parameters: {
    positional: { kind: "tuple", parameters: [{ brief: "A topology file", parse: String, placeholder: "topology" }] },
    flags: {
      format: {
        kind: "enum",
        values: ["svg", "dot", "mermaid"],
        brief: "Kind of picture; default: by the ending of --out, else svg",
        optional: true,
      },
      out: textFlag("File for the picture; default: print it", "file"),
    },
  },
  docs: {
    brief: "Draw a topology as SVG, DOT or Mermaid",
    fullDescription: `Draws the compiled graph of a topology: actors as nodes, critics on edges.

Examples:
  troupe draw topologies/mesh.yaml --out mesh.svg
  troupe draw topologies/tree.yaml --format mermaid`,
  },
});

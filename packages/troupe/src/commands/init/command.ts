import { buildCommand } from "@stricli/core";

/** `troupe init`: starts a project. */
export const initCommand = buildCommand({
  loader: async () => (await import("./init.ts")).init,
  parameters: {
    positional: {
      kind: "tuple",
      parameters: [{ brief: "Folder; default: the working folder", parse: String, placeholder: "folder", optional: true }],
    },
    flags: {},
  },
  docs: {
    brief: "Start a project: troupe.yaml, agents and a topology, with comments",
    fullDescription: `Writes a commented troupe.yaml, two agents and a topology. Files that are there already are left as they are.

Example:
  troupe init my-project && cd my-project && troupe run topologies/pair.yaml --task "A command-line dice roller"`,
  },
});

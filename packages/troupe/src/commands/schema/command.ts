import { buildCommand } from "@stricli/core";
import { textFlag } from "../flags.ts";

/** `troupe schema`: JSON Schemas for editors. */
export const schemaCommand = buildCommand({
  loader: async () => (await import("./schema.ts")).schema,
  parameters: {
    positional: {
      kind: "tuple",
      parameters: [
        {
          brief: "topology, agent, profiles, project, experiment, task, event, artifact, usage or result; without it: their list",
          parse: String,
          placeholder: "name",
          optional: true,
        },
      ],
    },
    flags: { out: textFlag("File for the schema; default: print it", "file") },
  },
  docs: {
    brief: "Print a JSON Schema, for editors",
    fullDescription: `Prints the JSON Schema of a file format, with a description of every field.

Examples:
  troupe schema topology --out .troupe/topology.schema.json

Then let your editor know, in the first line of a topology:
  # yaml-language-server: $schema=../.troupe/topology.schema.json`,
  },
});

import { buildCommand } from "@stricli/core";
import { textFlag } from "../flags.ts";

/** `troupe try`: runs a product in the sandbox. */
export const tryCommand = buildCommand({
  loader: async () => (await import("./try.ts")).tryOut,
  parameters: {
    positional: {
      kind: "array",
      minimum: 1,
      parameter: {
        brief: "The product's folder, then the words for the program (after -- when they begin with a dash)",
        parse: String,
        placeholder: "folder and words",
      },
    },
    flags: {
      entry: textFlag("The file to run; default: main.py, main.js or main.ts", "file"),
      stdin: textFlag("A file for its standard input; default: nothing", "file"),
      sandbox: { kind: "enum", values: ["auto", "bubblewrap", "seatbelt", "wasm", "none"], brief: "Where it runs", default: "auto" },
    },
  },
  docs: {
    brief: "Run a product in the sandbox",
    fullDescription: `Runs the program of a product folder in the sandbox: no network, no files but its own. What it writes is not kept.

Examples:
  troupe try out/quickstart --stdin README.md 5
  troupe try out/todo -- list --all`,
  },
});

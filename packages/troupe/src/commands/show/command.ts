import { buildCommand } from "@stricli/core";
import { dbFlag, jsonFlag, modelsFlag, switchFlag, wholeFlag } from "../flags.ts";
import { readPair } from "./read-pair.ts";

/** `troupe show`: everything about one run. */
export const showCommand = buildCommand({
  loader: async () => (await import("./show.ts")).show,
  parameters: {
    positional: {
      kind: "tuple",
      parameters: [{ brief: "The run's name, a unique beginning of it, or last", parse: String, placeholder: "run", optional: true }],
    },
    flags: {
      transcript: switchFlag("What every agent was given and answered, from top to bottom"),
      activation: wholeFlag("The same of one activation, with what it made", "number", { min: 0 }),
      log: switchFlag("The events of the run's log"),
      product: {
        kind: "parsed",
        parse: String,
        brief: "Print the product, or write it into a folder",
        optional: true,
        inferEmpty: true,
        placeholder: "folder",
      },
      diff: {
        kind: "parsed",
        parse: readPair,
        brief: "What changed between the artifacts of two activations, such as 0,2",
        optional: true,
        placeholder: "a,b",
      },
      ...modelsFlag,
      ...dbFlag,
      ...jsonFlag,
    },
  },
  docs: {
    brief: "Look into a run",
    fullDescription: `Shows how a run ended, the tree of its activations and what each agent used; or one part of it.

Examples:
  troupe show
  troupe show last --transcript
  troupe show last --activation 2
  troupe show last --diff 0,2
  troupe show 20260301-1405 --product out/again`,
  },
});

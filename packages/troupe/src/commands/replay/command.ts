import { buildCommand } from "@stricli/core";
import { worldFlags } from "../flags.ts";

/** `troupe replay`: does a recorded run again and compares. */
export const replayCommand = buildCommand({
  loader: async () => (await import("./replay.ts")).replay,
  parameters: {
    positional: {
      kind: "tuple",
      parameters: [{ brief: "The run's name, a unique beginning of it, or last", parse: String, placeholder: "run", optional: true }],
    },
    flags: worldFlags,
  },
  docs: {
    brief: "Do a recorded run again without a model, and compare",
    fullDescription: `Does a run again from its log, part by part, and says whether every artifact came out byte-identical; it ends with 1 when one did not. No model is asked: answers come from the log. Programs run again in the sandbox, because the log keeps only a summary of what they printed.

Examples:
  troupe replay last
  troupe replay 20260301-1405 --json`,
  },
});

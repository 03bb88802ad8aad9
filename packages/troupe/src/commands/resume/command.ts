import { buildCommand } from "@stricli/core";
import { limitFlags, switchFlag, textFlag, worldFlags } from "../flags.ts";

/** `troupe resume`: goes on with a run. */
export const resumeCommand = buildCommand({
  loader: async () => (await import("./resume.ts")).resume,
  parameters: {
    positional: {
      kind: "tuple",
      parameters: [{ brief: "The run's name, a unique beginning of it, or last", parse: String, placeholder: "run" }],
    },
    flags: {
      out: textFlag("Folder for the product; default out/TOPOLOGY", "folder"),
      answer: textFlag("The answer to the first question that the run waits with: an option's text or number", "text"),
      keep: switchFlag("Go on as the run began, though its topology has changed since"),
      acceptChanges: switchFlag("Take over what has changed in its topology, where the graph stays as it is"),
      ...limitFlags,
      ...worldFlags,
    },
  },
  docs: {
    brief: "Go on with a run that was interrupted, failed or reached a limit",
    fullDescription: `Goes on with a run from its log alone. What is finished does not run again, and no answer of a model is paid for twice. A limit that is given wins over the one the run had.

Where the file that the run was started from has changed since, it is refused with the differences: --keep goes on as the run began, --accept-changes takes over limits, agents, models, temperatures and rounds for what has not begun.

Examples:
  troupe resume last
  troupe resume 20260301-1405 --limit-tokens 400000
  troupe resume last --answer "Take it"`,
  },
});

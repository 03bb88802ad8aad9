import { buildCommand } from "@stricli/core";
import { switchFlag, worldFlags } from "../flags.ts";

/** `troupe metrics`: measures a run and its product. */
export const metricsCommand = buildCommand({
  loader: async () => (await import("./metrics.ts")).metrics,
  parameters: {
    positional: {
      kind: "tuple",
      parameters: [{ brief: "The run's name, a unique beginning of it, or last", parse: String, placeholder: "run", optional: true }],
    },
    flags: { logOnly: switchFlag("Only what the log says: nothing runs, no model is asked"), ...worldFlags },
  },
  docs: {
    brief: "Measure a run and its product",
    fullDescription: `Measures the product (is code left for later, does it run, is it about what was asked) and the run (tokens, graphs, growth of the artifacts, adopted suggestions, rounds that ended early). The product runs in the sandbox. Comparing it with the request needs the embedding model: \`troupe models pull all-minilm-l6-v2\`.

What can't be measured is shown as – with the reason.

Examples:
  troupe metrics
  troupe metrics 20260301-1405 --json
  troupe metrics last --log-only`,
  },
});

import { buildCommand } from "@stricli/core";
import { jsonFlag, modelsFlag } from "../flags.ts";

/** `troupe check`: validates files and says what they declare. */
export const checkCommand = buildCommand({
  loader: async () => (await import("./check.ts")).check,
  parameters: {
    positional: {
      kind: "array",
      minimum: 1,
      parameter: { brief: "Topologies, role cards, experiments or troupe.yaml files", parse: String, placeholder: "file" },
    },
    flags: { ...modelsFlag, ...jsonFlag },
  },
  docs: {
    brief: "Validate topologies, role cards, experiments and troupe.yaml",
    fullDescription: `Validates files with everything they name, shows all problems of each at once, and for a topology what a run of it can cost at most. The models that a topology and its agents ask must be declared where a troupe.yaml declares models.

Examples:
  troupe check topologies/review-chain.yaml
  troupe check topologies/*.yaml agents/*.yaml troupe.yaml

Exit codes: 0 all can be used (warnings stop nothing), 2 one can't.`,
  },
});

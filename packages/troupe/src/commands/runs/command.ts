import { buildCommand } from "@stricli/core";
import { dbFlag, jsonFlag, modelsFlag, wholeFlag } from "../flags.ts";

/** `troupe runs`: the runs of the database. */
export const runsCommand = buildCommand({
  loader: async () => (await import("./runs.ts")).runs,
  parameters: {
    positional: { kind: "tuple", parameters: [] },
    flags: { limit: wholeFlag("How many; default 20", "n"), ...modelsFlag, ...dbFlag, ...jsonFlag },
  },
  docs: { brief: "List the runs, the newest first" },
});

import { buildCommand, buildRouteMap } from "@stricli/core";
import { dbFlag, jsonFlag, modelsFlag, switchFlag, wholeFlag } from "../flags.ts";
import { readAge } from "./read-age.ts";

const list = buildCommand({
  loader: async () => (await import("./runs.ts")).runs,
  parameters: {
    positional: { kind: "tuple", parameters: [] },
    flags: { limit: wholeFlag("How many; default 20", "n"), ...modelsFlag, ...dbFlag, ...jsonFlag },
  },
  docs: { brief: "List the runs, the newest first" },
});

const prune = buildCommand({
  loader: async () => (await import("./prune.ts")).prune,
  parameters: {
    positional: { kind: "tuple", parameters: [] },
    flags: {
      keep: wholeFlag("This many of the newest stay", "n", { min: 0 }),
      olderThan: {
        kind: "parsed",
        parse: readAge,
        brief: "Only runs of this age go: 90m, 12h, 30d, 8w",
        optional: true,
        placeholder: "age",
      },
      dryRun: switchFlag("Only say what would go"),
      ...modelsFlag,
      ...dbFlag,
      ...jsonFlag,
    },
  },
  docs: {
    brief: "Remove old runs, and give their room back",
    fullDescription: `Removes runs with their logs and every artifact that no other run uses, then compacts the database. A run that somebody works on stays, and so does one that was started within a day and has not ended.

Examples:
  troupe runs prune --older-than 30d --dry-run
  troupe runs prune --keep 100 --older-than 30d`,
  },
});

/** `troupe runs`: the runs of the database. */
export const runsRoutes = buildRouteMap({
  routes: { list, prune },
  defaultCommand: "list",
  docs: { brief: "List the runs, or remove old ones" },
});

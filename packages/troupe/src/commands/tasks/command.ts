import { buildCommand, buildRouteMap } from "@stricli/core";
import { jsonFlag } from "../flags.ts";

const list = buildCommand({
  loader: async () => (await import("./list.ts")).list,
  parameters: { flags: { ...jsonFlag } },
  docs: { brief: "List the built-in task sets" },
});

const show = buildCommand({
  loader: async () => (await import("./show.ts")).show,
  parameters: {
    positional: {
      kind: "tuple",
      parameters: [
        { brief: "starter, programs, a file or a folder (see docs/tasks.md)", parse: String, placeholder: "set" },
        { brief: "Id of a task; without it: the list of all", parse: String, placeholder: "id", optional: true },
      ],
    },
    flags: { ...jsonFlag },
  },
  docs: {
    brief: "Show the tasks of a set, or one of them",
    fullDescription: `Reads a task set, reports every bad line of it, and shows its tasks; the hidden tests are only counted.

Examples:
  troupe tasks show starter
  troupe tasks show programs unit-converter`,
  },
});

/** `troupe tasks`: task sets. */
export const tasksRoutes = buildRouteMap({ routes: { list, show }, docs: { brief: "See task sets" } });

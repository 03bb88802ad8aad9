import type { TopologyFile } from "@troupe/schema";
import { noCritic } from "./card-uses.ts";
import type { ProblemList } from "./problem-list.ts";
import { warnOfIdleCritics } from "./warn-of-idle-critics.ts";

/** Warns of what is allowed but has no effect, which its writer surely did not mean. */
export function warnOfIdleParts(file: TopologyFile, broken: ReadonlySet<string>, list: ProblemList): void {
  const { defaults, edges = [] } = file;
  if (file.director === "fixed") {
    for (const key of ["actor", "critic", "aggregator"] as const) {
      if (defaults[key] === undefined) continue;
      list.add({ path: ["defaults", key], on: "key", severity: "warning", message: `\`${key}\` means nothing to the fixed director` });
    }
    return;
  }
  for (const [i, edge] of edges.entries()) {
    if (typeof edge === "string") {
      if (file.shape !== undefined)
        list.add({
          path: ["edges", i],
          severity: "warning",
          message: "the shape makes the edges, and this line changes none of them",
          hint: "leave it out, or say what changes, such as { from: 1, to: 2, rounds: 2 }",
        });
      continue;
    }
    const hasCritic = (edge.critic ?? defaults.critic ?? noCritic) !== noCritic;
    if (hasCritic || edge.rounds === undefined) continue;
    list.add({ path: ["edges", i, "rounds"], on: "key", severity: "warning", message: "rounds have no effect: the edge has no critic" });
  }
  warnOfIdleCritics(file, broken, list);
}

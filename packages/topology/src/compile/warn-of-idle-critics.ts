import type { TopologyFile } from "@troupe/schema";
import { hasInnerGraphs, noCritic } from "./card-uses.ts";
import type { ProblemList } from "./problem-list.ts";
import type { EdgeEntry } from "./written-edges.ts";

const graphKeys = ["shape", "nodes", "edges", "defaults"];

/**
 * Warns of critics that never judge. An edge that inherits its critic and says `rounds: 0` is left alone: that is a way to do without.
 *
 * @param broken Top-level keys that can't be trusted; what depends on them is not said.
 */
export function warnOfIdleCritics(file: TopologyFile, broken: ReadonlySet<string>, list: ProblemList): void {
  for (const [i, edge] of (file.edges ?? []).entries()) {
    if (typeof edge === "string" || edge.critic === undefined || edge.critic === noCritic) continue;
    if (roundsOf(edge, file) > 0) continue;
    const own = edge.rounds === 0;
    list.add({
      path: ["edges", i, own ? "rounds" : "critic"],
      severity: "warning",
      message: own ? "the edge's critic never judges: it has no rounds" : "the edge's critic never judges: `defaults.rounds` is 0",
      hint: own ? "say `rounds: 1` or more, or leave the critic out" : "give the edge `rounds: 1` or more, or leave its critic out",
    });
  }
  if (!graphKeys.some((key) => broken.has(key))) warnOfIdleDefault(file, list);
}

function warnOfIdleDefault(file: TopologyFile, list: ProblemList): void {
  const { critic = noCritic } = file.defaults;
  // Graphs that are written in nodes have the critic, too.
  if (critic === noCritic || (file.shape === undefined && file.nodes === undefined) || hasInnerGraphs(file)) return;
  const heirs = (file.edges ?? []).filter((edge) => typeof edge === "string" || edge.critic === undefined);
  const idle = idleReason(file, heirs);
  if (idle !== undefined) list.add(idle);
}

/** Why the critic of the defaults never judges; undefined: it does, or may. */
function idleReason(file: TopologyFile, heirs: readonly EdgeEntry[]) {
  const judging = heirs.some((edge) => roundsOf(edge, file) > 0);
  // The edges of a shape have the critic, now or when the shape grows, whether or not something is said of them.
  if (file.shape === undefined && heirs.length === 0)
    return { ...idleDefault("critic"), message: "no edge has the critic of `defaults`", hint: "leave it out" };
  if (file.defaults.rounds === 0 && !judging) {
    const hint = "say `rounds: 1` or more, or leave the critic out";
    return { ...idleDefault("rounds"), message: "the critic of `defaults` never judges: it has no rounds", hint };
  }
  if (file.shape !== undefined || judging) return undefined;
  return { ...idleDefault("critic"), message: "the critic of `defaults` never judges: its edges have no rounds", hint: "leave it out" };
}

function idleDefault(key: "critic" | "rounds") {
  return { path: ["defaults", key], severity: "warning" } as const;
}

function roundsOf(edge: EdgeEntry, { defaults }: TopologyFile): number {
  const said: Partial<Exclude<EdgeEntry, string>> = typeof edge === "string" ? {} : edge;
  return (said.rounds ?? defaults.rounds) + (said.targetRounds ?? defaults.targetRounds);
}

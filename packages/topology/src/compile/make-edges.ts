import type { EdgeEntry, TopologyFile } from "@troupe/schema";
import type { CompiledEdge, EdgeRule, EdgeSplit } from "../compiled-topology.ts";
import type { AgentTable } from "./agent-table.ts";
import { compileCondition } from "./condition.ts";
import { cell } from "./edge-columns.ts";
import type { EdgeTerms, Terms } from "./edge-terms.ts";
import type { InnerGraphs } from "./inner-graphs.ts";
import type { DrawProfile } from "./profile-draw.ts";
import type { Wiring } from "./wire-nodes.ts";

/** Who acts: the cards in use, and the profiles that are drawn for them. */
export interface Cast {
  readonly table: AgentTable;
  readonly draw: DrawProfile;
  /** Whether anybody is dealt a profile. */
  readonly isDealt: boolean;
  readonly inner: InnerGraphs;
}

/** Makes the edges; what several share is one object, so that a mesh of a million edges stays small. */
export function makeEdges(file: TopologyFile, { edges }: Wiring, { terms, cast }: { terms: Terms; cast: Cast }): readonly CompiledEdge[] {
  const made = new Array<CompiledEdge>(edges.from.length);
  const rules = new Map<EdgeTerms["said"] | string, Map<string, EdgeRule>>();
  for (let index = 0; index < made.length; index++) {
    const edge = terms.edge(index);
    const profile = edge.critic === undefined ? undefined : cast.draw("critic");
    // Entries are told apart as objects, generated edges by whether they have a critic.
    const key = Object.keys(edge.said).length > 0 ? edge.said : String(edge.critic);
    const known = rules.get(key) ?? new Map<string, EdgeRule>();
    rules.set(key, known);
    const name = profile?.name ?? "";
    const rule = known.get(name) ?? makeRule(edge, { file, cast, profile });
    known.set(name, rule);
    made[index] = Object.freeze({ index, from: cell(edges.from, index), to: cell(edges.to, index), rule });
  }
  return Object.freeze(made);
}

function makeRule(
  { said, carry, trigger, critic, rounds, targetRounds }: EdgeTerms,
  { file, cast, profile }: { file: TopologyFile; cast: Cast; profile: EdgeRule["profile"] },
): EdgeRule {
  const when = said.when === undefined ? undefined : compileCondition(said.when);
  return Object.freeze({
    critic: critic === undefined ? undefined : cast.table.nameOf(critic),
    model: said.model ?? file.defaults.model,
    rounds,
    targetRounds,
    profile,
    when: when !== undefined && "holds" in when ? when : undefined,
    carry,
    trigger,
    split: splitOf(said, file.defaults.groupSize),
  });
}

function splitOf({ map, reduce }: Partial<EdgeEntry>, groupSize: number): EdgeSplit | undefined {
  if (map !== undefined) return Object.freeze({ kind: "map", ...map, group: groupSize });
  return reduce === undefined
    ? undefined
    : Object.freeze({ kind: "reduce", by: reduce.by, most: reduce.most, group: reduce.group ?? groupSize });
}

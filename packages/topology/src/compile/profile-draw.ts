import { createRandom, type Profile, type ProfilePool, type TopologyFile } from "@troupe/schema";
import type { DocumentPath } from "../yaml/place.ts";
import { quote } from "../yaml/quote.ts";
import { noCritic } from "./card-uses.ts";
import { freezeDeep } from "./freeze-deep.ts";
import type { ProblemList } from "./problem-list.ts";

/** Pools by the path that the topology wrote; `faulty`: there is one, but its problems are reported elsewhere. */
export type PoolTable = ReadonlyMap<string, ProfilePool | "faulty">;

/** Who profiles are drawn for. */
const roles = ["actor", "critic"] as const;
type Role = (typeof roles)[number];

/** Where a topology names a pool of profiles. */
export interface PoolUse {
  /** The pool's path, as written. */
  readonly file: string;
  readonly path: DocumentPath;
}

/** Every place of a topology that names a pool of profiles. */
export function listPoolUses({ defaults: { profiles } }: TopologyFile): PoolUse[] {
  return roles.flatMap((role) => {
    const file = profiles?.[role];
    return file === undefined ? [] : [{ file, path: ["defaults", "profiles", role] }];
  });
}

/** Checks that every named pool is there, and warns of a choice that gives nobody a profile. */
export function checkPools(file: TopologyFile, pools: PoolTable, list: ProblemList): void {
  const { profiles, critic = noCritic } = file.defaults;
  if (profiles === undefined) return;
  const path = ["defaults", "profiles"];
  const uses = listPoolUses(file);
  for (const use of uses) {
    if (!pools.has(use.file))
      list.add({ path: use.path, message: `there is no pool of profiles ${quote(use.file)}`, code: "file_missing" });
  }
  if (file.director === "fixed") {
    list.add({ path, on: "key", severity: "warning", message: "`profiles` means nothing to the fixed director" });
  } else if (uses.length === 0) {
    list.add({ path, severity: "warning", message: "nobody gets a profile", expected: "`actor`, `critic`, or both" });
  } else if (profiles.critic !== undefined && critic === noCritic && !hasCritics(file)) {
    list.add({ path: [...path, "critic"], on: "key", severity: "warning", message: "no critic gets a profile: no edge has a critic" });
  }
}

/** Whether an edge names a critic of its own, also in a graph that is written inside a node. */
function hasCritics({ edges = [], nodes = [] }: Pick<TopologyFile, "edges" | "nodes">): boolean {
  const isReviewed = edges.some((edge) => typeof edge === "object" && edge.critic !== undefined && edge.critic !== noCritic);
  const inner = nodes.map(({ graph, loop }) => graph ?? loop?.graph);
  return isReviewed || inner.some((graph) => typeof graph === "object" && hasCritics(graph));
}

/** Gives the next profile for an agent in a role; undefined when the topology names no pool for it. */
export type DrawProfile = (role: Role) => Profile | undefined;

/**
 * Draws profiles for the agents of a topology. A pool is shuffled by the seed, the role and the number of times it was used up, and
 * dealt from the top. So the k-th agent of a role has the same profile however large the graph is, and none comes twice before all did.
 */
export function drawProfiles({ defaults: { profiles } }: TopologyFile, pools: PoolTable): DrawProfile {
  const actor = dealFrom(poolOf(profiles?.actor, pools), profiles?.seed ?? 0, "actor");
  const critic = dealFrom(poolOf(profiles?.critic, pools), profiles?.seed ?? 0, "critic");
  return (role) => (role === "actor" ? actor() : critic());
}

function poolOf(path: string | undefined, pools: PoolTable): readonly Profile[] {
  const pool = path === undefined ? undefined : pools.get(path);
  return pool === undefined || pool === "faulty" ? [] : freezeDeep(structuredClone(pool.profiles));
}

function dealFrom(pool: readonly Profile[], seed: number, role: Role): () => Profile | undefined {
  let round = 0;
  let hand: Profile[] = [];
  return () => {
    if (hand.length === 0) hand = createRandom(seed, `profiles.${role}.${round++}`).shuffle(pool).reverse();
    return hand.pop();
  };
}

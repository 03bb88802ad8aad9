import type { ArtifactRef } from "@troupe/schema";
import { BudgetJoin } from "./budget-join.ts";
import { TreeJoin } from "./tree-join.ts";

/** A merge that has all its inputs. */
export interface ReadyMerge {
  /** Place of its outcome in the join. */
  readonly place: number;
  readonly candidates: readonly ArtifactRef[];
}

/** What adding an artifact to a join leads to. */
export interface JoinProgress {
  /** Merges that can start now. */
  readonly ready: readonly ReadyMerge[];
  /** The one artifact that is left. */
  readonly result?: ArtifactRef;
  /** Nothing has come, and nothing will. */
  readonly isEmpty?: boolean;
}

/** Artifacts that meet and are merged until one is left. */
export interface Join {
  readonly candidates: number;
  /** How many of the candidates have not arrived. */
  readonly missing: number;
  /** Puts an artifact at its place: a candidate, or the outcome of a merge; undefined: nothing comes there. */
  put(place: number, artifact: ArtifactRef | undefined): JoinProgress;
}

/** How much one merge takes. */
export interface GroupLimits {
  readonly groupSize: number;
  /** Estimated tokens of all its inputs; undefined: any. */
  readonly groupTokens?: number | undefined;
}

/** A join of so many candidates: by count alone each merge starts as soon as its own inputs exist, by tokens level after level. */
export function createJoin(candidates: number, { groupSize, groupTokens }: GroupLimits): Join {
  return groupTokens === undefined ? new TreeJoin(candidates, groupSize) : new BudgetJoin(candidates, { groupSize, groupTokens });
}

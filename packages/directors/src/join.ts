import type { ArtifactRef } from "@troupe/schema";
import { type Merge, mergeTree } from "./merge-tree.ts";

/** A merge that has all its inputs. */
export interface ReadyMerge {
  /** Place of its outcome in the join. */
  readonly place: number;
  readonly candidates: readonly ArtifactRef[];
}

/** What adding an artifact to a join leads to. */
export interface JoinProgress {
  readonly ready?: ReadyMerge;
  /** The one artifact that is left. */
  readonly result?: ArtifactRef;
}

/** Collects the artifacts that meet at a node and says which merge can start: each as soon as its own inputs exist. */
export class Join {
  readonly #places: (ArtifactRef | undefined)[];
  readonly #merges: readonly Merge[];
  readonly #missing: number[];
  readonly #consumer: number[] = [];
  #arrived = 0;

  readonly candidates: number;

  constructor(candidates: number, groupSize: number) {
    this.candidates = candidates;
    this.#merges = mergeTree(candidates, groupSize);
    this.#places = new Array<ArtifactRef | undefined>(candidates + this.#merges.length);
    this.#missing = this.#merges.map((merge) => merge.length);
    for (const [index, merge] of this.#merges.entries()) for (const place of merge) this.#consumer[place] = index;
  }

  /** How many of the candidates have not arrived. */
  get missing(): number {
    return this.candidates - this.#arrived;
  }

  /** Puts an artifact at its place: a candidate, or the outcome of a merge. */
  put(place: number, artifact: ArtifactRef): JoinProgress {
    this.#places[place] = artifact;
    if (place < this.candidates) this.#arrived += 1;
    const consumer = this.#consumer[place];
    const merge = consumer === undefined ? undefined : this.#merges[consumer];
    if (consumer === undefined || merge === undefined) return { result: artifact };
    const missing = (this.#missing[consumer] ?? 0) - 1;
    this.#missing[consumer] = missing;
    if (missing > 0) return {};
    const candidates = merge.flatMap((input) => this.#places[input] ?? []);
    return { ready: { place: this.candidates + consumer, candidates } };
  }
}

import type { ArtifactRef } from "@troupe/schema";
import type { Join, JoinProgress } from "./join.ts";
import { type Merge, mergeTree } from "./merge-tree.ts";

/** A join whose merges are known beforehand: each starts as soon as its own inputs exist. */
export class TreeJoin implements Join {
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

  get missing(): number {
    return this.candidates - this.#arrived;
  }

  put(place: number, artifact: ArtifactRef | undefined): JoinProgress {
    if (place < this.candidates) this.#arrived += 1;
    let at = place;
    let left = artifact;
    for (;;) {
      this.#places[at] = left;
      const consumer = this.#consumer[at];
      const merge = consumer === undefined ? undefined : this.#merges[consumer];
      if (consumer === undefined || merge === undefined)
        return left === undefined ? { ready: [], isEmpty: true } : { ready: [], result: left };
      const missing = (this.#missing[consumer] ?? 0) - 1;
      this.#missing[consumer] = missing;
      if (missing > 0) return { ready: [] };
      const candidates = merge.flatMap((input) => this.#places[input] ?? []);
      at = this.candidates + consumer;
      if (candidates.length > 1) return { ready: [{ place: at, candidates }] };
      // Where others brought nothing, a single one goes on as it is.
      left = candidates[0];
    }
  }
}

import type { ArtifactRef } from "@troupe/schema";
import type { Join, JoinProgress, ReadyMerge } from "./join.ts";

/** Bytes of an artifact's canonical JSON that one token stands for: an estimate. */
const bytesPerToken = 3.6;

/**
 * A join whose groups are bounded in tokens too, so that an aggregator's prompt fits its model. How long an outcome is, nobody knows before:
 * the merges of a level are chosen when the level before it is there. Neighbours go together; two always do, however long.
 */
export class BudgetJoin implements Join {
  readonly candidates: number;
  readonly #groupSize: number;
  readonly #groupTokens: number;
  readonly #level = new Map<number, ArtifactRef>();
  #expected: number;
  #next: number;
  #arrived = 0;

  constructor(candidates: number, { groupSize, groupTokens }: { groupSize: number; groupTokens: number }) {
    this.candidates = candidates;
    this.#groupSize = groupSize;
    this.#groupTokens = groupTokens;
    this.#expected = candidates;
    this.#next = candidates;
  }

  get missing(): number {
    return this.candidates - this.#arrived;
  }

  put(place: number, artifact: ArtifactRef | undefined): JoinProgress {
    if (place < this.candidates) this.#arrived += 1;
    if (artifact === undefined) this.#expected -= 1;
    else this.#level.set(place, artifact);
    if (this.#level.size < this.#expected) return { ready: [] };
    const waiting = [...this.#level].sort(([a], [b]) => a - b);
    const [only] = waiting;
    if (only === undefined) return { ready: [], isEmpty: true };
    if (waiting.length === 1) return { ready: [], result: only[1] };
    return { ready: this.#group(waiting) };
  }

  /** Groups the whole level; a last one that would be alone goes on to the next level as it is. */
  #group(waiting: readonly (readonly [place: number, artifact: ArtifactRef])[]): ReadyMerge[] {
    const ready: ReadyMerge[] = [];
    this.#level.clear();
    for (let at = 0; at < waiting.length; ) {
      const group = this.#take(waiting.slice(at).map(([, artifact]) => artifact));
      const place = this.#next++;
      const [alone] = group;
      if (group.length === 1 && alone !== undefined) this.#level.set(place, alone);
      else ready.push({ place, candidates: group });
      at += group.length;
    }
    this.#expected = ready.length + this.#level.size;
    return ready;
  }

  #take(waiting: readonly ArtifactRef[]): ArtifactRef[] {
    const group: ArtifactRef[] = [];
    let tokens = 0;
    for (const artifact of waiting) {
      tokens += artifact.bytes / bytesPerToken;
      if (group.length >= 2 && (tokens > this.#groupTokens || group.length >= this.#groupSize)) break;
      group.push(artifact);
    }
    return group;
  }
}

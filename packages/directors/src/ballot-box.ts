import { type Artifact, answerKey, canonicalJson, type VoteWork } from "@troupe/schema";

/** How votes are counted. */
export interface VoteRules {
  readonly work: VoteWork;
  /** The options of a choice; absent: any answer is valid. */
  readonly options?: readonly string[];
}

/**
 * The votes that have come to a node. Equal answers are counted together; of answers with equally many votes the one wins whose first vote
 * has the lowest place. An empty answer is no vote.
 *
 * @example
 * const box = new BallotBox({ work: { need: 2, compare: "answer" } });
 * box.put(0, text("4"));
 * box.put(1, text("4.0"));
 * box.winner(3); // 0
 */
export class BallotBox {
  readonly #rules: VoteRules;
  /** By what the answers say: each vote is read once, because it may be long and there may be thousands. */
  readonly #counts = new Map<string, Count>();
  #best: Count | undefined;

  constructor(rules: VoteRules) {
    this.#rules = rules;
  }

  put(place: number, artifact: Artifact): void {
    const { work, options = [] } = this.#rules;
    const key = work.compare === "exact" ? exactKey(artifact) : answerKey(artifact, options);
    if (key === "") return;
    const known = this.#counts.get(key) ?? { votes: 0, place };
    const count = { votes: known.votes + 1, place: Math.min(known.place, place) };
    this.#counts.set(key, count);
    // Only this answer has come forward.
    if (this.#best === undefined || this.#best === known || isAhead(count, this.#best)) this.#best = count;
  }

  /**
   * The place of the vote that wins.
   *
   * @param open votes that may still come.
   * @returns `open` when it is not decided yet, undefined when nobody has given a valid answer.
   */
  winner(open: number): number | "open" | undefined {
    const need = this.#rules.work.need === "any" ? 1 : this.#rules.work.need;
    const isDecided = open === 0 || (need !== "all" && this.#best !== undefined && this.#best.votes >= need);
    return isDecided ? this.#best?.place : "open";
  }
}

interface Count {
  readonly votes: number;
  /** Of the first vote. */
  readonly place: number;
}

function isAhead(one: Count, other: Count): boolean {
  return one.votes > other.votes || (one.votes === other.votes && one.place < other.place);
}

function exactKey(artifact: Artifact): string {
  if (artifact.kind === "text") return artifact.text;
  if (artifact.kind === "choice") return artifact.choice;
  return canonicalJson(artifact);
}

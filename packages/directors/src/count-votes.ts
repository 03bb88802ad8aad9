import { type Artifact, answerKey, canonicalJson, type VoteWork } from "@troupe/schema";

/** A vote, and which place its edge has. */
export interface Vote {
  readonly place: number;
  readonly artifact: Artifact;
}

/**
 * The place of the vote that wins, of those that have come so far. Equal answers are counted together; of answers with equally many votes
 * the one wins whose first vote has the lowest place. An empty answer is no vote.
 *
 * @param open votes that may still come.
 * @returns `open` when it is not decided yet, undefined when nobody has voted.
 * @example
 * countVotes([{ place: 0, artifact: text("4") }, { place: 1, artifact: text("4.0") }], { work: { need: 2, compare: "answer" }, open: 3 }); // 0
 */
export function countVotes(
  votes: readonly Vote[],
  { work, open, options = [] }: { work: VoteWork; open: number; options?: readonly string[] },
): number | "open" | undefined {
  const counts = countAnswers(votes, (artifact) => (work.compare === "exact" ? exactKey(artifact) : answerKey(artifact, options)));
  const best = counts.reduce<AnswerCount | undefined>(
    (first, one) => (first === undefined || isAhead(one, first) ? one : first),
    undefined,
  );
  const need = work.need === "any" ? 1 : work.need;
  const isDecided = open === 0 || (need !== "all" && best !== undefined && best.votes >= need);
  return isDecided ? best?.place : "open";
}

interface AnswerCount {
  readonly votes: number;
  /** Of the first vote. */
  readonly place: number;
}

function countAnswers(votes: readonly Vote[], keyOf: (artifact: Artifact) => string): AnswerCount[] {
  const counts = new Map<string, AnswerCount>();
  for (const { place, artifact } of votes) {
    const key = keyOf(artifact);
    if (key === "") continue;
    const known = counts.get(key) ?? { votes: 0, place };
    counts.set(key, { votes: known.votes + 1, place: Math.min(known.place, place) });
  }
  return [...counts.values()];
}

function isAhead(one: AnswerCount, other: AnswerCount): boolean {
  return one.votes > other.votes || (one.votes === other.votes && one.place < other.place);
}

function exactKey(artifact: Artifact): string {
  if (artifact.kind === "text") return artifact.text;
  if (artifact.kind === "choice") return artifact.choice;
  return canonicalJson(artifact);
}

import type { RunParts } from "./run-parts.ts";
import { shareOf } from "./share-of.ts";

/** How the talks between critics and actors ended. A talk is on one edge, once in a loop and once for each item. */
export interface Rounds {
  /** Talks in which a critic has spoken. */
  readonly talks: number;
  /** Verdicts: each opens a round. */
  readonly held: number;
  /** Talks whose critic's last word was `accept`, so that the rest of their rounds was left out. */
  readonly endedEarly: number;
  /** `endedEarly` of `talks`; undefined when no critic has spoken. */
  readonly earlyShare: number | undefined;
}

/** Counts the rounds, and the talks that ended before all were held. */
export function measureRounds({ verdicts }: Pick<RunParts, "verdicts">): Rounds {
  const lastWords = new Map(verdicts.map(({ talk, verdict }) => [talk, verdict.verdict]));
  const endedEarly = [...lastWords.values()].filter((word) => word === "accept").length;
  return { talks: lastWords.size, held: verdicts.length, endedEarly, earlyShare: shareOf(endedEarly, lastWords.size) };
}

import type { RunParts } from "./run-parts.ts";
import { shareOf } from "./share-of.ts";

/** How the talks between critics and actors ended. */
export interface Rounds {
  /** Edges on which a critic has spoken. */
  readonly edges: number;
  /** Verdicts: each opens a round. */
  readonly held: number;
  /** Edges whose critic's last word was `accept`, so that the rest of its rounds was left out. */
  readonly endedEarly: number;
  /** `endedEarly` of `edges`; undefined when no critic has spoken. */
  readonly earlyShare: number | undefined;
}

/** Counts the rounds, and those that ended before all were held. */
export function measureRounds({ verdicts }: Pick<RunParts, "verdicts">): Rounds {
  const lastWords = new Map(verdicts.map(({ edge, verdict }) => [edge, verdict.verdict]));
  const endedEarly = [...lastWords.values()].filter((word) => word === "accept").length;
  return { edges: lastWords.size, held: verdicts.length, endedEarly, earlyShare: shareOf(endedEarly, lastWords.size) };
}

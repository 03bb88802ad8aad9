import type { Verdict } from "@troupe/schema";
import { optionSaid, readChoice } from "./read-choice.ts";
import { readVerdict, shortenCritique } from "./read-verdict.ts";

const accepting = /^[\s*_#>`"'-]*(?:verdict[\s:*_]+)?accept(?:ed)?[\W_]*$/i;
const revising = /^[\s*_#>`"'-]*(?:verdict[\s:*_]+)?revise\b[\W_]*(.*)$/i;

/**
 * Reads a critic's answer about a choice: steps, and ACCEPT or `REVISE: C, because …` in a line of its own, the last one said. Without such a
 * line the option counts that the critic came to itself.
 *
 * @param judged the option that was judged. A review that says the same one asks for nothing.
 */
export function readChoiceVerdict(text: string, judged: string, choices: readonly string[] | undefined): Verdict | undefined {
  const lines = text.trim().split("\n");
  const at = lines.findLastIndex((line) => accepting.test(line) || revising.test(line));
  const steps = lines.slice(0, Math.max(at, 0)).join("\n").trim();
  const revised = revising.exec(lines[at] ?? "")?.[1];
  if (at >= 0 && revised === undefined) return { verdict: "accept", critique: shortenCritique(steps) };
  if (revised !== undefined) {
    const rest = [revised, ...lines.slice(at + 1)].join("\n").trim();
    const isSame = choices !== undefined && optionSaid(rest, choices) === judged;
    const critique = shortenCritique([rest, steps].filter((part) => part !== "").join("\n\n"));
    return { verdict: isSame ? "accept" : "revise", critique };
  }
  const own = choices === undefined ? undefined : readChoice(text, choices)?.choice;
  if (own === undefined) return readVerdict(text);
  return { verdict: own === judged ? "accept" : "revise", critique: shortenCritique(text) };
}

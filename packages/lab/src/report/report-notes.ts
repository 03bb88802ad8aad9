import { fewTasks } from "./few-tasks.ts";
import { isSoftwareMetric } from "./figure-of.ts";
import { scalingNotes } from "./scaling-notes.ts";
import type { ExperimentReport } from "./summarize.ts";

/** How the figures of a report came about, and what can't be concluded from them. */
export function reportNotes(report: ExperimentReport): string[] {
  const { file, systems, pairs } = report;
  const notes = ["A run is one task with one seed; its tokens are prompt and generated tokens of all its model calls together."];
  if (file.metrics.includes("passed")) notes.push(...notesOfShares(report));
  if (file.metrics.some(isSoftwareMetric)) notes.push(...notesOfSoftware(report));
  if (pairs.length > 0) notes.push(...notesOfPairs(report));
  if (report.scaling !== undefined) notes.push(...scalingNotes(report.scaling, file));
  if (systems.some(({ estimated }) => estimated)) notes.push("Some token counts are estimates, because a server left them out.");
  const limited = file.systems.some(({ limits }) => limits?.tokens !== undefined);
  if (limited) notes.push("A limit of tokens ends a run with the best product so far, which is graded like any other.");
  return notes;
}

function notesOfShares({ systems, seeds }: ExperimentReport): string[] {
  const ungraded = systems.reduce((sum, { runs, graded }) => sum + runs - graded, 0);
  const several = seeds > 1 ? " Runs of one task are alike, so for other tasks than these the intervals are too narrow." : "";
  return [
    `The interval of a share is Wilson's (1927), each run counted by itself.${several}`,
    ...(ungraded === 0 ? [] : [`${ungraded} runs are not counted as passed or failed: nothing tells whether their product is right.`]),
  ];
}

/** Reasons that are listed; the rest are counted. */
const mostReasons = 5;

function notesOfSoftware({ systems }: ExperimentReport): string[] {
  const missing = systems.flatMap(({ name, unmeasured }) => unmeasured.map(({ reason, runs }) => `${name}, ${runs}: ${reason}`));
  const shown = missing.slice(0, mostReasons).join(" · ");
  const rest = missing.length > mostReasons ? ` · and ${missing.length - mostReasons} more` : "";
  return [
    "Completeness and executability are 0 or 1, consistency is a cosine; quality is the mean of the three, multiplied it is their product. They say nothing of right or wrong.",
    ...(missing.length === 0
      ? []
      : [
          `Means are over the runs that have a figure, as many as stand in brackets; the others lack one because (system, runs): ${shown}${rest}`,
        ]),
  ];
}

function notesOfPairs({ file, pairs, seeds }: ExperimentReport): string[] {
  const { alpha, resamples, seed, tokenTolerance } = file.statistics;
  const tests =
    pairs.length === 1 ? "one pair, which Holm's correction (1979) leaves as it is" : `${pairs.length} pairs, corrected by Holm (1979)`;
  const least = Math.min(...pairs.flatMap(({ differences }) => Object.values(differences).map(({ clusters }) => clusters)));
  const several = seeds > 1 ? " It counts each seed of a task as a pair of its own, the bootstrap does not." : "";
  const test = `p is the exact two-sided McNemar test (1947) on the runs that both did; ${tests}; a claim is made at ${alpha} or below.${several}`;
  return [
    ...(file.metrics.includes("passed") ? [test, ...outOfReach(pairs, alpha)] : []),
    `Differences have BCa bootstrap intervals (Efron 1987), ${resamples} samples of whole tasks, seed ${seed}; they are not corrected for the number of pairs.`,
    ...(least < fewTasks
      ? [
          `A difference rests on ${least === 1 ? "one task" : `${least} tasks`} only: the bootstrap over so few tells little about other tasks.`,
        ]
      : []),
    `Two systems are at equal tokens when the smaller mean is at most ${(100 * tokenTolerance).toFixed(0)} % below the larger one; ⚠ marks what is said of two that are not: the difference may be bought by tokens.`,
  ];
}

/** With few runs no outcome would be significant, also the clearest. */
function outOfReach(pairs: ExperimentReport["pairs"], alpha: number): string[] {
  const most = Math.max(...pairs.map(({ counts: { both, onlyA, onlyB, neither } }) => both + onlyA + onlyB + neither));
  const least = pairs.length * 2 * 0.5 ** most;
  if (most === 0 || least <= alpha) return [];
  const needed = Math.ceil(Math.log2((2 * pairs.length) / alpha));
  return [
    `**No claim was possible at this n**: with at most ${most === 1 ? "one run" : `${most} runs`} in common even the clearest outcome has p (Holm) above ${alpha}. It takes at least ${needed} runs that all differ in the same direction.`,
  ];
}

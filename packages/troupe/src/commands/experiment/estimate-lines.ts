import { type BudgetedAmount, type Cost, type CostEstimate, type Experiment, spendingOf } from "@troupe/lab";
import type { TaskRow } from "@troupe/runtime";
import { formatTable } from "../../view/format-table.ts";
import { count, duration, plural } from "../../view/words.ts";

/** What is left of an experiment will probably use, by size where systems vary in it; and how far the budget will reach. */
export function estimateLines(experiment: Experiment, estimate: CostEstimate, rows: readonly TaskRow[]): string[] {
  if (estimate.runs === 0) return [];
  const { bySize, measured, tokensPerActivation } = estimate;
  const basis = measured ? "as its runs so far" : "assumed, nothing has run yet";
  return [
    `to come: ${costWords(estimate)}, at ${plural(tokensPerActivation, "token")} an activation (${basis})`,
    ...(bySize.length > 1 || bySize[0]?.size !== undefined ? sizeTable(bySize) : []),
    ...reachOf(experiment, estimate, rows),
  ];
}

function costWords({ activations, tokens, generatedTokens, seconds }: Cost): string {
  const time = seconds === undefined ? "" : `, ${duration(seconds)}`;
  return `at most ${plural(activations, "activation")}, about ${plural(tokens, "token")} (${count(generatedTokens)} generated)${time}`;
}

function sizeTable(bySize: CostEstimate["bySize"]): string[] {
  const head = ["size", "runs", "activations, at most", "tokens, about", "generated", "time"];
  const cells = bySize.map(({ size, runs, activations, tokens, generatedTokens, seconds }) => [
    size === undefined ? "none" : String(size),
    ...[runs, activations, tokens, generatedTokens].map(count),
    seconds === undefined ? "" : duration(seconds),
  ]);
  return formatTable(
    [head, ...cells],
    Array.from(head, () => "right" as const),
  ).map((line) => `  ${line}`);
}

/** Up to which size everything can be done within what is left of the budget. */
function reachOf(experiment: Experiment, { bySize }: CostEstimate, rows: readonly TaskRow[]): string[] {
  const { budget, jobs } = experiment.file;
  if (budget === undefined) return [];
  const spent = spendingOf(experiment, rows);
  const isEnough = (costs: readonly Cost[]): boolean => {
    const sumOf = (amountOf: (cost: Cost) => number): number => costs.reduce((sum, cost) => sum + amountOf(cost), 0);
    const needed: Record<BudgetedAmount, number> = {
      tokens: sumOf(({ tokens }) => tokens),
      generatedTokens: sumOf(({ generatedTokens }) => generatedTokens),
      // Runs at once count each.
      seconds: sumOf(({ seconds = 0 }) => seconds * jobs),
    };
    return (Object.keys(needed) as BudgetedAmount[]).every(
      (amount) => spent[amount] + needed[amount] <= (budget[amount] ?? Number.POSITIVE_INFINITY),
    );
  };
  if (isEnough(bySize)) return ["the budget will probably do for all of it"];
  const fitting = bySize.filter((_, at) => isEnough(bySize.slice(0, at + 1)));
  const sizes = fitting.flatMap(({ size }) => size ?? []);
  if (sizes.length === 0) return ["the budget will probably be used up before that"];
  return [`the budget will probably do for --sizes ${sizes.join(",")} and not for the rest`];
}

import { runTaskSet, type TaskRow, type TaskRun, type TaskSetOptions } from "@troupe/runtime";
import { isSoftwareMetric } from "../report/figure-of.ts";
import type { Experiment } from "./load-experiment.ts";
import type { SortedRows } from "./sort-rows.ts";

/** Amounts that a budget can limit. */
export type BudgetedAmount = keyof NonNullable<Experiment["file"]["budget"]>;

/** What an experiment has used, and which budget that exhausts. */
export interface Spending extends Readonly<Record<BudgetedAmount, number>> {
  readonly exhausted: BudgetedAmount | undefined;
}

/** What the rows of an experiment have used of its budget. */
export function spendingOf({ file: { budget } }: Pick<Experiment, "file">, rows: readonly TaskRow[]): Spending {
  const sumOf = (amountOf: (row: TaskRow) => number): number => rows.reduce((sum, row) => sum + amountOf(row), 0);
  const used: Record<BudgetedAmount, number> = {
    tokens: sumOf(({ usage }) => usage.inputTokens + usage.outputTokens),
    generatedTokens: sumOf(({ usage }) => usage.outputTokens),
    seconds: sumOf(({ seconds }) => seconds),
  };
  const amounts = Object.keys(used) as BudgetedAmount[];
  return { ...used, exhausted: amounts.find((amount) => used[amount] >= (budget?.[amount] ?? Number.POSITIVE_INFINITY)) };
}

/**
 * The share of its budget that an experiment still has: of several amounts that of which the least is left.
 *
 * @returns 0 to 1; undefined without a budget.
 */
export function budgetLeft({ file }: Pick<Experiment, "file">, rows: readonly TaskRow[]): number | undefined {
  const { exhausted: _exhausted, ...used } = spendingOf({ file }, rows);
  const shares = (Object.keys(used) as BudgetedAmount[]).flatMap((amount) => {
    const most = file.budget?.[amount];
    return most === undefined ? [] : [Math.max(0, 1 - used[amount] / most)];
  });
  return shares.length === 0 ? undefined : Math.min(...shares);
}

/**
 * Runs what is left of an experiment until all is done or the budget is used up, and gives a row for each run in the order in which they
 * end. Runs that are under way when the budget is used up come to their end, so up to `jobs` runs go beyond it.
 *
 * @throws TroupeError what `runTaskSet` throws.
 */
export async function* runExperiment(
  experiment: Experiment,
  { rows, left }: Pick<SortedRows, "rows" | "left">,
  options: TaskSetOptions,
  signal: AbortSignal,
): AsyncGenerator<TaskRow> {
  const done = [...rows];
  function* within(): Generator<TaskRun> {
    for (const run of left) {
      if (spendingOf(experiment, done).exhausted !== undefined) return;
      yield run;
    }
  }
  for await (const row of runTaskSet(within(), { ...options, measure: experiment.file.metrics.some(isSoftwareMetric) }, signal)) {
    done.push(row);
    yield row;
  }
}

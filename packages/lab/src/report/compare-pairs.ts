import type { TaskRow } from "@troupe/runtime";
import type { ExperimentFile } from "@troupe/schema";
import { type Comparison, comparePaired, type GradedProduct } from "@troupe/tasks";
import { bootstrapMean, type MeanInterval } from "../statistics/bootstrap-mean.ts";
import { adjustHolm } from "../statistics/holm.ts";
import { figureOf, type Metric } from "./figure-of.ts";

/** Whether two systems used about as many tokens. */
export interface TokenBalance {
  /** Mean tokens of a run, over the runs that both did. */
  readonly first: number;
  readonly second: number;
  /** The larger mean over the smaller one; 1 when both are 0. */
  readonly ratio: number;
  /** Whether the smaller mean lies within the stated tolerance below the larger one. */
  readonly equal: boolean;
}

/** How two systems differ on the runs (task and seed) that both did. */
export interface PairReport {
  readonly first: string;
  readonly second: string;
  /** Runs that both did. */
  readonly runs: number;
  /** How their graded products fell, with the exact McNemar p-value (McNemar 1947). */
  readonly counts: Comparison;
  /** The p-value after Holm's correction over all pairs of the experiment. */
  readonly corrected: number;
  /** Mean of second − first for each metric, with its BCa interval by tasks; a metric without a common run is left out. */
  readonly differences: Readonly<Partial<Record<Metric, MeanInterval>>>;
  /** Undefined when they have no run in common. */
  readonly tokens: TokenBalance | undefined;
  /** Which passes more by the corrected test at level alpha; undefined: no difference is shown. */
  readonly better: string | undefined;
}

/** The rows of two systems for one task and one seed. */
export type RowPair = readonly [first: TaskRow, second: TaskRow];

/** Compares the pairs of an experiment. */
export function comparePairs(
  pairs: readonly (readonly [first: string, second: string])[],
  rows: readonly TaskRow[],
  file: Pick<ExperimentFile, "metrics" | "statistics">,
): PairReport[] {
  const graded = rows.flatMap((row): GradedProduct[] =>
    row.passed === undefined ? [] : [{ system: row.topology, task: keyOf(row), passed: row.passed }],
  );
  const counts = pairs.map(([first, second]) => comparePaired(graded, first, second));
  const corrected = adjustHolm(counts.map(({ p }) => p));
  return pairs.map(([first, second], at) => {
    const both = pairRows(rows, first, second);
    const own = counts[at] ?? comparePaired([], first, second);
    const p = corrected[at] ?? 1;
    const better = p > file.statistics.alpha ? undefined : own.onlyA > own.onlyB ? first : second;
    const differences = differencesOf(both, file);
    return { first, second, runs: both.length, counts: own, corrected: p, differences, tokens: balanceOf(both, file), better };
  });
}

/** The runs that both systems did. */
export function pairRows(rows: readonly TaskRow[], first: string, second: string): RowPair[] {
  const seconds = new Map(rows.filter(({ topology }) => topology === second).map((row) => [keyOf(row), row]));
  return rows.flatMap((row): RowPair[] => {
    const other = row.topology === first ? seconds.get(keyOf(row)) : undefined;
    return other === undefined ? [] : [[row, other]];
  });
}

function differencesOf(pairs: readonly RowPair[], file: Pick<ExperimentFile, "metrics" | "statistics">): PairReport["differences"] {
  return Object.fromEntries(
    [...new Set(file.metrics)].flatMap((metric): [Metric, MeanInterval][] => {
      const difference = differenceOf(pairs, metric, file);
      return difference === undefined ? [] : [[metric, difference]];
    }),
  );
}

/** Mean of second − first of a metric with its BCa interval by tasks; undefined when no pair has both figures. */
export function differenceOf(
  pairs: readonly RowPair[],
  metric: Metric,
  { statistics: { resamples, seed, alpha } }: Pick<ExperimentFile, "statistics">,
): MeanInterval | undefined {
  const values = pairs.flatMap(([first, second]) => {
    const [a, b] = [figureOf(first, metric), figureOf(second, metric)];
    return a === undefined || b === undefined ? [] : [{ cluster: first.task, value: b - a }];
  });
  return values.length === 0 ? undefined : bootstrapMean(values, { resamples, seed, level: 1 - alpha });
}

/** Whether two systems used about as many tokens; undefined without a run in common. */
export function balanceOf(pairs: readonly RowPair[], { statistics }: Pick<ExperimentFile, "statistics">): TokenBalance | undefined {
  if (pairs.length === 0) return undefined;
  const meanOf = (side: 0 | 1): number => pairs.reduce((sum, pair) => sum + (figureOf(pair[side], "tokens") ?? 0), 0) / pairs.length;
  const [first, second] = [meanOf(0), meanOf(1)];
  const [smaller, larger] = [Math.min(first, second), Math.max(first, second)];
  const ratio = larger === 0 ? 1 : larger / smaller;
  return { first, second, ratio, equal: larger - smaller <= statistics.tokenTolerance * larger };
}

const keyOf = ({ task, seed }: TaskRow): string => `${task}#${seed}`;

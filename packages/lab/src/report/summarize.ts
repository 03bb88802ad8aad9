import type { TaskRow } from "@troupe/runtime";
import type { ExperimentFile } from "@troupe/schema";
import { type Interval, wilson } from "@troupe/tasks";
import type { Experiment } from "../experiment/load-experiment.ts";
import { normalQuantile } from "../statistics/normal.ts";
import { comparePairs, type PairReport } from "./compare-pairs.ts";
import { figureOf, type Metric } from "./figure-of.ts";

/** All runs of one system. */
export interface SystemReport {
  readonly name: string;
  readonly runs: number;
  /** Runs whose product was graded. */
  readonly graded: number;
  readonly passed: number;
  /** Wilson's interval of the share that passed. */
  readonly interval: Interval;
  /** Means over the runs; undefined without runs. */
  readonly means: { readonly [metric in Exclude<Metric, "passed">]: number } | undefined;
  /** Whether a server left out token counts, so that some are estimates. */
  readonly estimated: boolean;
}

/** What came of an experiment so far. */
export interface ExperimentReport {
  readonly file: ExperimentFile;
  readonly tasks: number;
  readonly seeds: number;
  readonly done: number;
  readonly total: number;
  readonly systems: readonly SystemReport[];
  readonly pairs: readonly PairReport[];
}

/**
 * Counts, tests and compares the rows that belong to an experiment.
 *
 * @param rows as `sortRows` gives them.
 */
export function summarize(experiment: Experiment, rows: readonly TaskRow[]): ExperimentReport {
  const { file, tasks, seeds, systems, pairs } = experiment;
  const z = normalQuantile(1 - file.statistics.alpha / 2);
  return {
    file,
    tasks: tasks.length,
    seeds: seeds.length,
    done: rows.length,
    total: tasks.length * seeds.length * systems.length,
    systems: systems.map(({ name }) =>
      reportSystem(
        name,
        rows.filter((row) => row.topology === name),
        z,
      ),
    ),
    pairs: comparePairs(pairs, rows, file),
  };
}

function reportSystem(name: string, rows: readonly TaskRow[], z: number): SystemReport {
  const graded = rows.filter((row) => row.passed !== undefined);
  const passed = graded.filter((row) => row.passed === true).length;
  const meanOf = (metric: Metric): number => rows.reduce((sum, row) => sum + (figureOf(row, metric) ?? 0), 0) / rows.length;
  return {
    name,
    runs: rows.length,
    graded: graded.length,
    passed,
    interval: wilson(passed, graded.length, z),
    means: rows.length === 0 ? undefined : { tokens: meanOf("tokens"), seconds: meanOf("seconds"), calls: meanOf("calls") },
    estimated: rows.some(({ usage }) => usage.estimated),
  };
}

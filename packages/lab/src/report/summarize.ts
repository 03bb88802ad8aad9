import type { TaskRow } from "@troupe/runtime";
import type { ExperimentFile } from "@troupe/schema";
import { type Interval, softwareMetricNames, wilson } from "@troupe/tasks";
import type { Experiment } from "../experiment/load-experiment.ts";
import { ranSystems } from "../experiment/sort-rows.ts";
import { normalQuantile } from "../statistics/normal.ts";
import { comparePairs, type PairReport } from "./compare-pairs.ts";
import { figureOf, type Metric } from "./figure-of.ts";
import { reportScaling, type ScalingReport } from "./report-scaling.ts";

/** All runs of one system. */
export interface SystemReport {
  readonly name: string;
  readonly runs: number;
  /** Runs whose product was graded. */
  readonly graded: number;
  readonly passed: number;
  /** Wilson's interval of the share that passed. */
  readonly interval: Interval;
  /** Means over the runs that have the figure; undefined when none has. */
  readonly means: { readonly [metric in Counted]?: number | undefined };
  /** How many runs have the figure, for the metrics of software that the experiment names. */
  readonly measured: { readonly [metric in Counted]?: number };
  /** Why runs lack a figure of software, with how many of them, most first. */
  readonly unmeasured: readonly { readonly reason: string; readonly runs: number }[];
  /** Whether a server left out token counts, so that some are estimates. */
  readonly estimated: boolean;
}

/** The metrics that have a mean. */
type Counted = Exclude<Metric, "passed">;

/** What came of an experiment so far. */
export interface ExperimentReport {
  readonly file: ExperimentFile;
  readonly tasks: number;
  readonly seeds: number;
  readonly done: number;
  readonly total: number;
  readonly systems: readonly SystemReport[];
  readonly pairs: readonly PairReport[];
  /** What came of systems against their size; undefined when none vary in size. */
  readonly scaling: ScalingReport | undefined;
}

/**
 * Counts, tests and compares the rows that belong to an experiment.
 *
 * @param rows as `sortRows` gives them.
 */
export function summarize(experiment: Experiment, rows: readonly TaskRow[]): ExperimentReport {
  const { file, tasks, seeds, pairs } = experiment;
  const systems = ranSystems(experiment);
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
        { z, metrics: file.metrics },
      ),
    ),
    pairs: comparePairs(pairs, rows, file),
    scaling: reportScaling(experiment, rows),
  };
}

function reportSystem(
  name: string,
  rows: readonly TaskRow[],
  { z, metrics }: { readonly z: number; readonly metrics: readonly Metric[] },
): SystemReport {
  const graded = rows.filter((row) => row.passed !== undefined);
  const passed = graded.filter((row) => row.passed === true).length;
  const named = softwareMetricNames.filter((metric) => metrics.includes(metric));
  const figures = new Map([...plainMetrics, ...named].map((metric) => [metric, rows.flatMap((row) => figureOf(row, metric) ?? [])]));
  return {
    name,
    runs: rows.length,
    graded: graded.length,
    passed,
    interval: wilson(passed, graded.length, z),
    means: Object.fromEntries([...figures].map(([metric, values]) => [metric, meanOf(values)])),
    measured: Object.fromEntries(named.map((metric) => [metric, figures.get(metric)?.length ?? 0])),
    unmeasured: named.length === 0 ? [] : reasonsOf(rows),
    estimated: rows.some(({ usage }) => usage.estimated),
  };
}

const plainMetrics = ["tokens", "seconds", "calls"] as const;

function meanOf(values: readonly number[]): number | undefined {
  return values.length === 0 ? undefined : values.reduce((sum, value) => sum + value, 0) / values.length;
}

/** The parts that could not be measured; what is joined of them says nothing of its own. */
function reasonsOf(rows: readonly TaskRow[]): SystemReport["unmeasured"] {
  const runs = new Map<string, number>();
  for (const { software } of rows) {
    const parts = software === undefined ? [] : [software.completeness, software.executability, software.consistency];
    const reasons = software === undefined ? ["they were run before the experiment named these metrics"] : [];
    for (const part of parts) if (part.kind === "unmeasured") reasons.push(part.reason);
    for (const reason of new Set(reasons)) runs.set(reason, (runs.get(reason) ?? 0) + 1);
  }
  return [...runs].map(([reason, of]) => ({ reason, runs: of })).sort((a, b) => b.runs - a.runs);
}

import { exactMcNemar } from "./exact-mcnemar.ts";
import { type Interval, wilson } from "./wilson.ts";

/** One graded product. */
export interface GradedProduct {
  /** Name of what made it, such as a topology. */
  readonly system: string;
  /** Task id, with the seed if a task was done several times: what pairs the products of two systems. */
  readonly task: string;
  readonly passed: boolean;
  readonly tokens?: number;
  readonly seconds?: number;
}

/** One row of a table: all products of one system. */
export interface PassRow {
  readonly system: string;
  readonly passed: number;
  readonly total: number;
  /** 95 % Wilson interval of the share that passed. */
  readonly interval: Interval;
  /** Mean over the products that have the figure; undefined when none has. */
  readonly tokensPerTask: number | undefined;
  readonly secondsPerTask: number | undefined;
}

/** How two systems differ on the tasks that both did. */
export interface Comparison {
  readonly both: number;
  readonly onlyA: number;
  readonly onlyB: number;
  readonly neither: number;
  /** Exact two-sided McNemar p-value. */
  readonly p: number;
}

/** One row for each system, in the order of first appearance. */
export function passTable(results: readonly GradedProduct[]): PassRow[] {
  return [...new Set(results.map((result) => result.system))].map((system) => {
    const own = results.filter((result) => result.system === system);
    const passed = own.filter((result) => result.passed).length;
    return {
      system,
      passed,
      total: own.length,
      interval: wilson(passed, own.length),
      tokensPerTask: mean(own.map((result) => result.tokens)),
      secondsPerTask: mean(own.map((result) => result.seconds)),
    };
  });
}

/** A table in Markdown, shares in per cent. */
export function formatPassTable(rows: readonly PassRow[]): string {
  const lines = rows.map(({ system, passed, total, interval, tokensPerTask, secondsPerTask }) => {
    const share = total === 0 ? "–" : percent(passed / total);
    const cells = [system, `${passed} / ${total}`, share, `${percent(interval.low)} – ${percent(interval.high)}`];
    return `| ${[...cells, rounded(tokensPerTask, 0), rounded(secondsPerTask, 1)].join(" | ")} |`;
  });
  return ["| system | passed | share | 95 % interval | tokens per task | seconds per task |", "|---|---|---|---|---|---|", ...lines].join(
    "\n",
  );
}

/**
 * Compares two systems pairwise on the tasks that both did.
 *
 * @throws RangeError when a system did a task twice under the same name.
 */
export function comparePaired(results: readonly GradedProduct[], a: string, b: string): Comparison {
  const ofA = byTask(results, a);
  const ofB = byTask(results, b);
  const counts = { both: 0, onlyA: 0, onlyB: 0, neither: 0 };
  for (const [task, passedA] of ofA) {
    const passedB = ofB.get(task);
    if (passedB === undefined) continue;
    counts[passedA ? (passedB ? "both" : "onlyA") : passedB ? "onlyB" : "neither"]++;
  }
  return { ...counts, p: exactMcNemar(counts.onlyA, counts.onlyB) };
}

function byTask(results: readonly GradedProduct[], system: string): Map<string, boolean> {
  const own = results.filter((result) => result.system === system);
  const map = new Map(own.map((result) => [result.task, result.passed]));
  if (map.size !== own.length) throw new RangeError(`${system} has two results under one task name; add the seed to the name`);
  return map;
}

function mean(figures: readonly (number | undefined)[]): number | undefined {
  const known = figures.filter((figure) => figure !== undefined);
  return known.length === 0 ? undefined : known.reduce((sum, figure) => sum + figure, 0) / known.length;
}

function percent(share: number): string {
  return `${(100 * share).toFixed(1)} %`;
}

function rounded(figure: number | undefined, digits: number): string {
  return figure === undefined ? "–" : figure.toFixed(digits);
}

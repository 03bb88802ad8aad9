import type { TaskRow } from "@troupe/runtime";
import { mergeLimits } from "@troupe/schema";
import type { Experiment } from "./load-experiment.ts";
import type { LoadedSystem } from "./load-system.ts";
import { sizeOf } from "./select-systems.ts";
import { ranSystems, type SortedRows } from "./sort-rows.ts";

/** What runs will probably use. */
export interface Cost {
  readonly runs: number;
  /** The most activations. */
  readonly activations: number;
  /** Prompt and generated tokens. */
  readonly tokens: number;
  readonly generatedTokens: number;
  /** From the first of them to the last, as many at once as the experiment says; undefined as long as nothing has run. */
  readonly seconds: number | undefined;
}

/** What an experiment's runs that are left will probably use. */
export interface CostEstimate extends Cost {
  /** The same by size, the smallest first; systems without one together, before all others. */
  readonly bySize: readonly (Cost & { readonly size: number | undefined })[];
  /** What an activation of the bound is taken to use: prompt and generated tokens. */
  readonly tokensPerActivation: number;
  /** Whether that was measured on runs of this experiment, or is only assumed. */
  readonly measured: boolean;
  /** Tokens of one run by the name of its row: how long runs take beside each other. */
  readonly perRun: ReadonlyMap<string, number>;
}

/** Assumed as long as nothing has run: about what an activation of a small program's chain used on a small model. */
const assumed: Rates = { tokens: 2000, generated: 300, seconds: undefined };

/** By one activation of the bound; seconds by token. */
interface Rates {
  readonly tokens: number;
  readonly generated: number;
  readonly seconds: number | undefined;
}

/**
 * Estimates what is left of an experiment: the most activations of each run times the tokens that one has used so far, and of a system that
 * has run already the mean of its runs. A run's own limit of tokens is the most it is taken to use.
 */
export function estimateCost(experiment: Experiment, { rows, left }: Pick<SortedRows, "rows" | "left">): CostEstimate {
  const systems = new Map(ranSystems(experiment).map((system) => [system.name, system]));
  const rates = ratesOf(rows, systems) ?? assumed;
  const perRun = new Map([...systems.values()].map((system) => [system.name, tokensOf(system, rows, rates.tokens)]));
  const groups = new Map<number | undefined, LoadedSystem[]>();
  for (const { topology } of left) {
    const system = systems.get(topology);
    if (system === undefined) continue;
    const [size] = sizeOf(system);
    groups.set(size, [...(groups.get(size) ?? []), system]);
  }
  const costOf = (runs: readonly LoadedSystem[]): Cost => {
    const tokens = runs.reduce((sum, { name }) => sum + (perRun.get(name) ?? 0), 0);
    return {
      runs: runs.length,
      activations: runs.reduce((sum, { bound }) => sum + bound, 0),
      tokens,
      generatedTokens: (tokens * rates.generated) / rates.tokens,
      seconds: rates.seconds === undefined ? undefined : (tokens * rates.seconds) / experiment.file.jobs,
    };
  };
  return {
    ...costOf([...groups.values()].flat()),
    bySize: [...groups].sort(([a = 0], [b = 0]) => a - b).map(([size, runs]) => ({ size, ...costOf(runs) })),
    tokensPerActivation: rates.tokens,
    measured: rates !== assumed,
    perRun,
  };
}

function ratesOf(rows: readonly TaskRow[], systems: ReadonlyMap<string, LoadedSystem>): Rates | undefined {
  const sumOf = (amountOf: (row: TaskRow) => number): number => rows.reduce((sum, row) => sum + amountOf(row), 0);
  const activations = sumOf(({ topology }) => systems.get(topology)?.bound ?? 0);
  const tokens = sumOf(({ usage }) => usage.inputTokens + usage.outputTokens);
  if (activations === 0 || tokens === 0) return undefined;
  const generated = sumOf(({ usage }) => usage.outputTokens);
  return { tokens: tokens / activations, generated: generated / activations, seconds: sumOf(({ seconds }) => seconds) / tokens };
}

function tokensOf({ name, bound, bundle, limits }: LoadedSystem, rows: readonly TaskRow[], perActivation: number): number {
  const own = rows.filter(({ topology }) => topology === name);
  if (own.length > 0) return own.reduce((sum, { usage }) => sum + usage.inputTokens + usage.outputTokens, 0) / own.length;
  return Math.min(bound * perActivation, mergeLimits(bundle.file.limits, limits).tokens ?? Number.POSITIVE_INFINITY);
}

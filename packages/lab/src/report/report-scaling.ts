import type { TaskRow } from "@troupe/runtime";
import { isTroupeError, variantsOf } from "@troupe/schema";
import type { Experiment } from "../experiment/load-experiment.ts";
import type { LoadedSystem } from "../experiment/load-system.ts";
import { sizeOf } from "../experiment/select-systems.ts";
import { bootstrapMean, type MeanInterval } from "../statistics/bootstrap-mean.ts";
import { fitLogistic, type LogisticFit } from "../statistics/fit-logistic.ts";
import { differenceOf, pairRows } from "./compare-pairs.ts";
import { figureOf, type Metric } from "./figure-of.ts";
import { nearestAtTokens, type TokenNeighbour } from "./nearest-at-tokens.ts";

/** A system at one size. */
export interface ScalingPoint {
  /** What its rows call it: another system when both are the same graph. */
  readonly system: string;
  /** Whether that is another system, whose runs stand here again. */
  readonly shared: boolean;
  readonly size: number;
  readonly runs: number;
  /** Mean of the measure with its interval by tasks; undefined when no run has the figure. */
  readonly quality: MeanInterval | undefined;
  /** Means over the runs; undefined without runs. */
  readonly tokens: number | undefined;
  readonly seconds: number | undefined;
  /** Mean bytes of the products; undefined when no row knows them. */
  readonly bytes: number | undefined;
  /** Bytes over those at the smallest size that has some. */
  readonly growth: number | undefined;
  /** The system of an earlier entry whose runs used the most similar number of tokens; undefined when there is none. */
  readonly nearest: TokenNeighbour | undefined;
}

/** Why no curve is fitted. */
export interface RefusedFit {
  readonly kind: "refused";
  readonly sizes: number;
  readonly reason: string;
}

/** Systems that differ in size alone. */
export interface ScalingLine {
  readonly name: string;
  /** By size, the smallest first. */
  readonly points: readonly ScalingPoint[];
  readonly fit: ({ readonly kind: "fitted"; readonly tasks: number } & LogisticFit) | RefusedFit;
  /** The measure at the largest size with runs minus at the smallest, on the runs that both did; undefined when there are none. */
  readonly rise: ({ readonly from: number; readonly to: number } & MeanInterval) | undefined;
}

/** A system that stands beside the curves. */
export interface ScalingReference {
  readonly system: string;
  readonly quality: MeanInterval | undefined;
  readonly tokens: number | undefined;
}

/** What came of systems against their size. */
export interface ScalingReport {
  readonly measure: Metric;
  /** The experiment's first system, when it has no size. */
  readonly reference: ScalingReference | undefined;
  readonly lines: readonly ScalingLine[];
}

/** Reports systems against their size; undefined when no entry varies `shape.size` over two or more. */
export function reportScaling(experiment: Experiment, rows: readonly TaskRow[]): ScalingReport | undefined {
  const lines = linesOf(experiment);
  if (lines.length === 0) return undefined;
  const { file, systems } = experiment;
  const measure = file.scaling?.measure ?? file.metrics[0] ?? "passed";
  const about: About = { experiment, measure, rowsOf: (system) => rows.filter(({ topology }) => topology === system) };
  const [first] = systems;
  const reference = first === undefined || sizeOf(first).length > 0 ? undefined : referenceOf(first, about);
  return { measure, reference, lines: lines.map((line) => reportLine(line, about)) };
}

interface About {
  readonly experiment: Experiment;
  readonly measure: Metric;
  readonly rowsOf: (system: string) => readonly TaskRow[];
}

interface Line {
  readonly name: string;
  readonly systems: readonly LoadedSystem[];
}

/** The systems of each curve: those of an entry that have all values but the size in common. */
function linesOf({ file, systems }: Experiment): Line[] {
  return file.systems.flatMap((system, entry): Line[] => {
    if ((system.vary?.["shape.size"]?.length ?? 0) < 2) return [];
    const { "shape.size": _size, ...others } = system.vary ?? {};
    return variantsOf({ ...system, vary: others }).map(({ name, values }) => ({
      name,
      systems: systems
        .filter((one) => one.entry === entry && Object.entries(values).every(([field, value]) => one.values[field as never] === value))
        .sort((a, b) => (sizeOf(a)[0] ?? 0) - (sizeOf(b)[0] ?? 0)),
    }));
  });
}

function referenceOf({ runsAs }: LoadedSystem, about: About): ScalingReference {
  const rows = about.rowsOf(runsAs);
  return { system: runsAs, quality: qualityOf(rows, about), tokens: meanOf(rows, (row) => figureOf(row, "tokens")) };
}

function reportLine({ name, systems }: Line, about: About): ScalingLine {
  const bare = systems.map((system) => pointOf(system, about));
  const first = bare.find(({ bytes }) => bytes !== undefined && bytes > 0)?.bytes;
  const points = bare.map((point) => ({
    ...point,
    growth: point.bytes === undefined || first === undefined ? undefined : point.bytes / first,
  }));
  return { name, points, fit: fitOf(points, about), rise: riseOf(points, about) };
}

function pointOf(system: LoadedSystem, about: About): Omit<ScalingPoint, "growth"> {
  const rows = about.rowsOf(system.runsAs);
  const [size = 0] = sizeOf(system);
  return {
    system: system.runsAs,
    shared: system.runsAs !== system.name,
    size,
    runs: rows.length,
    quality: qualityOf(rows, about),
    tokens: meanOf(rows, (row) => figureOf(row, "tokens")),
    seconds: meanOf(rows, (row) => row.seconds),
    bytes: meanOf(rows, (row) => row.bytes),
    nearest: nearestAtTokens(system, about),
  };
}

function qualityOf(rows: readonly TaskRow[], { experiment, measure }: About): MeanInterval | undefined {
  const { resamples, seed, alpha } = experiment.file.statistics;
  const values = rows.flatMap((row) => {
    const value = figureOf(row, measure);
    return value === undefined ? [] : [{ cluster: row.task, value }];
  });
  return values.length === 0 ? undefined : bootstrapMean(values, { resamples, seed, level: 1 - alpha });
}

function meanOf(rows: readonly TaskRow[], figure: (row: TaskRow) => number | undefined): number | undefined {
  const values = rows.flatMap((row) => figure(row) ?? []);
  return values.length === 0 ? undefined : values.reduce((sum, value) => sum + value, 0) / values.length;
}

/** The fit goes over single runs, so that sizes with more of them weigh more. */
function fitOf(points: readonly Pick<ScalingPoint, "system" | "size">[], { measure, rowsOf }: About): ScalingLine["fit"] {
  const measured = points.flatMap(({ system, size }) =>
    rowsOf(system).flatMap((row) => {
      const quality = figureOf(row, measure);
      return quality === undefined ? [] : [{ size, quality, cluster: row.task }];
    }),
  );
  try {
    return { kind: "fitted", tasks: new Set(measured.map(({ cluster }) => cluster)).size, ...fitLogistic(measured) };
  } catch (error) {
    if (!isTroupeError(error)) throw error;
    return { kind: "refused", sizes: new Set(measured.map(({ size }) => size)).size, reason: error.message };
  }
}

function riseOf(points: readonly ScalingPoint[], { experiment, measure, rowsOf }: About): ScalingLine["rise"] {
  const measured = points.filter(({ quality }) => quality !== undefined);
  const [first, last] = [measured[0], measured.at(-1)];
  if (first === undefined || last === undefined || first.system === last.system) return undefined;
  const pairs = pairRows([...rowsOf(first.system), ...rowsOf(last.system)], first.system, last.system);
  const difference = differenceOf(pairs, measure, experiment.file);
  return difference && { from: first.size, to: last.size, ...difference };
}

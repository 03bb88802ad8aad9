import type { TaskRow } from "@troupe/runtime";
import type { Experiment } from "../experiment/load-experiment.ts";
import type { LoadedSystem } from "../experiment/load-system.ts";
import { ranSystems } from "../experiment/sort-rows.ts";
import type { MeanInterval } from "../statistics/bootstrap-mean.ts";
import { balanceOf, differenceOf, pairRows, type TokenBalance } from "./compare-pairs.ts";
import type { Metric } from "./figure-of.ts";

/** The system that used the most similar number of tokens, on the runs that both did. */
export interface TokenNeighbour {
  readonly system: string;
  /** `first` is the neighbour. */
  readonly tokens: TokenBalance;
  /** The measure minus the neighbour's, with its interval by tasks; undefined when no run has both figures. */
  readonly difference: MeanInterval | undefined;
}

/** Whose neighbour is looked for, among what. */
export interface Neighbourhood {
  readonly experiment: Experiment;
  readonly measure: Metric;
  readonly rowsOf: (system: string) => readonly TaskRow[];
}

/** Finds the neighbour of a system among those of earlier entries, which are what it is compared with. */
export function nearestAtTokens(
  { entry, runsAs }: LoadedSystem,
  { experiment, measure, rowsOf }: Neighbourhood,
): TokenNeighbour | undefined {
  const own = rowsOf(runsAs);
  const candidates = ranSystems(experiment).flatMap(({ entry: other, name }) => {
    const pairs = other < entry ? pairRows([...rowsOf(name), ...own], name, runsAs) : [];
    const tokens = balanceOf(pairs, experiment.file);
    return tokens === undefined ? [] : [{ system: name, pairs, tokens }];
  });
  const [first, ...others] = candidates;
  if (first === undefined) return undefined;
  const { system, pairs, tokens } = others.reduce((best, one) => (one.tokens.ratio < best.tokens.ratio ? one : best), first);
  return { system, tokens, difference: differenceOf(pairs, measure, experiment.file) };
}

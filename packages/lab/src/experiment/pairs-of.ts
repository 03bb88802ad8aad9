import { type ExperimentFile, namesLike } from "@troupe/schema";
import type { LoadedSystem } from "./load-system.ts";

/** Names of two systems. */
export type Pair = readonly [first: string, second: string];

/** The pairs that an experiment compares, by the names of their rows; systems that are the same graph make no pair. */
export function pairsOf(
  { statistics: { pairs } }: Pick<ExperimentFile, "statistics">,
  systems: readonly Pick<LoadedSystem, "name" | "runsAs">[],
): Pair[] {
  const runners = new Map(systems.map(({ name, runsAs }) => [name, runsAs]));
  const names = [...runners.keys()];
  const runnersOf = (pattern: string): string[] => namesLike(pattern, names).map((name) => runners.get(name) ?? name);
  const ran = [...new Set(runners.values())];
  const wanted = Array.isArray(pairs)
    ? pairs.flatMap(([first = "", second = ""]) => runnersOf(first).flatMap((one) => runnersOf(second).map((other): Pair => [one, other])))
    : (pairs === "first" ? ran.slice(0, 1) : ran).flatMap((first, at) => ran.slice(at + 1).map((second): Pair => [first, second]));
  const seen = new Set<string>();
  return wanted.filter((pair) => {
    const key = JSON.stringify([...pair].sort());
    const isNew = pair[0] !== pair[1] && !seen.has(key);
    seen.add(key);
    return isNew;
  });
}

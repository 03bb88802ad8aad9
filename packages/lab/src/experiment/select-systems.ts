import { namesLike, TroupeError } from "@troupe/schema";
import type { Experiment } from "./load-experiment.ts";

/** Which systems of an experiment are meant. */
export interface SystemChoice {
  /** Patterns of names, separated by commas; `*` stands for any letters. Default: all. */
  readonly only?: string | undefined;
  /** Of systems that vary `shape.size` only those of these sizes; others stay. Default: all. */
  readonly sizes?: readonly number[] | undefined;
}

/**
 * Finds the systems that are meant, by the names of their rows.
 *
 * @throws TroupeError `call_invalid` for a pattern or a size that no system has, or when none is left.
 */
export function selectSystems({ systems }: Pick<Experiment, "systems">, { only, sizes }: SystemChoice): ReadonlySet<string> {
  const names = systems.map(({ name }) => name);
  const patterns = only?.split(",").map((pattern) => pattern.trim());
  for (const pattern of patterns ?? [])
    if (namesLike(pattern, names).length === 0)
      throw new TroupeError("call_invalid", `--only: no system is called ${JSON.stringify(pattern)}. The systems: ${names.join(", ")}.`);
  const known = [...new Set(systems.flatMap(sizeOf))].sort((a, b) => a - b);
  for (const size of sizes ?? [])
    if (!known.includes(size))
      throw new TroupeError(
        "call_invalid",
        `--sizes: ${known.length === 0 ? "no system varies `shape.size`" : `no system has the size ${size}. The sizes: ${known.join(", ")}`}.`,
      );
  const meant = patterns === undefined ? undefined : new Set(patterns.flatMap((pattern) => namesLike(pattern, names)));
  const chosen = systems.filter((system) => {
    const [size] = sizeOf(system);
    return (meant?.has(system.name) ?? true) && (size === undefined || (sizes?.includes(size) ?? true));
  });
  if (chosen.length === 0) throw new TroupeError("call_invalid", "No system is both of --only and of --sizes.");
  return new Set(chosen.map(({ runsAs }) => runsAs));
}

/** The size that a system has because `vary` gave it; nothing for others. */
export function sizeOf({ values }: Pick<Experiment["systems"][number], "values">): number[] {
  const size = values["shape.size"];
  return typeof size === "number" ? [size] : [];
}

import { type RemovedRuns, type RunEvent, runHeld, TroupeError } from "@troupe/schema";
import type { MemoryLeases } from "./memory-leases.ts";

/** What a store in memory keeps. */
export interface MemoryKept {
  readonly logs: Map<string, RunEvent[]>;
  readonly artifacts: Map<string, string>;
  readonly leases: MemoryLeases;
  /** When runs were pruned, by name. */
  readonly pruned: Map<string, number>;
}

/** Removes runs from memory, with the artifacts that only they name. */
export function removeRuns(
  { logs, artifacts, leases, pruned }: MemoryKept,
  names: readonly string[],
  now: number,
  dryRun: boolean,
): RemovedRuns {
  for (const name of names) {
    if (!logs.has(name)) throw new TroupeError("run_unknown", `There is no run ${name}. List the runs with \`troupe runs\`.`);
    const holder = leases.holder(name, now);
    if (holder !== undefined) throw runHeld(name, holder);
  }
  const gone = new Set(names);
  const logOf = (isGone: boolean): string[] =>
    [...logs].flatMap(([name, events]) => (gone.has(name) === isGone ? events.map((event) => JSON.stringify(event)) : []));
  const doomed = logOf(true);
  const used = new Set(hashesIn(logOf(false)));
  const unused = [...new Set(hashesIn(doomed))].filter((hash) => artifacts.has(hash) && !used.has(hash));
  const bytes = [...doomed, ...unused.map((hash) => artifacts.get(hash) ?? "")].reduce((sum, text) => sum + Buffer.byteLength(text), 0);
  if (!dryRun) {
    for (const name of gone) {
      logs.delete(name);
      leases.drop(name);
      pruned.set(name, now);
    }
    for (const hash of unused) artifacts.delete(hash);
  }
  return { runs: gone.size, events: doomed.length, artifacts: unused.length, bytes };
}

function hashesIn(texts: readonly string[]): string[] {
  return texts.flatMap((text) => [...text.matchAll(/"hash":"([0-9a-f]{64})"/g)].map(([, hash]) => hash as string));
}

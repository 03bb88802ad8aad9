import type { Database } from "better-sqlite3";
import type { ArtifactTable } from "./artifact-table.ts";

/** How a store writes. */
export interface Writer {
  /** One immediate transaction. */
  immediate<T>(work: () => T): T;
  /** One immediate transaction: waiting artifacts first, then the events that name them. @param at when, in milliseconds since 1970. */
  write<T>(at: number, work: () => T): T;
  /** Writes the waiting artifacts on their own. */
  flush(): void;
  /** Tells of a moment, so that nothing is written as of an earlier one, also when the clock has jumped back. */
  noteTime(at: number): number;
}

/** The writer of a database. */
export function createWriter(db: Database, artifacts: ArtifactTable): Writer {
  let latest = 0;
  // Made once: making one costs more than most of the work.
  const immediate = db.transaction((work: () => unknown) => work()).immediate as Writer["immediate"];
  const noteTime = (at: number): number => {
    latest = Math.max(latest, at);
    return latest;
  };
  const write = <T>(at: number, work: () => T): T => {
    const result = immediate(() => {
      artifacts.flush(noteTime(at));
      return work();
    });
    artifacts.settle();
    return result;
  };
  return { immediate, write, noteTime, flush: () => write(latest, () => undefined) };
}

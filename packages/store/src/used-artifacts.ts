import type { Database } from "better-sqlite3";

/** How far the logs of runs were read, and the artifacts that they name. */
export interface ReadLogs {
  /** Events read, by the run's name. */
  readonly upTo: Map<string, number>;
  readonly hashes: Set<string>;
}

interface Run {
  readonly id: number;
  readonly name: string;
  readonly events: number;
}

/** A reader of the artifacts that the logs of all runs but some name; called again, it reads what came since. */
export function createLogReader(db: Database): (but: ReadonlySet<string>, logs?: ReadLogs) => ReadLogs {
  const runs = db.prepare<[], Run>("SELECT id, name, events FROM runs");
  const bodies = db.prepare<[number, number], string>("SELECT body FROM events WHERE run = ? AND seq >= ?").pluck();
  return (but, logs = { upTo: new Map(), hashes: new Set() }) => {
    for (const { id, name, events } of runs.all()) {
      const from = logs.upTo.get(name) ?? 0;
      if (but.has(name) || events <= from) continue;
      for (const body of bodies.iterate(id, from)) addHashes(body, logs.hashes);
      logs.upTo.set(name, events);
    }
    return logs;
  };
}

/** Every reference to an artifact is an object with its hash, wherever in an event it stands. */
function addHashes(body: string, into: Set<string>): void {
  for (const [, hash] of body.matchAll(/"hash":"([0-9a-f]{64})"/g)) into.add(hash as string);
}

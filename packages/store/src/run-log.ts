import { type AppendGuard, type EventBody, type LogPart, type RunEvent, TroupeError } from "@troupe/schema";
import type { Database } from "better-sqlite3";
import type { LeaseTable } from "./lease-table.ts";
import { createReadLog } from "./read-log.ts";
import type { RunStarted, RunTable } from "./run-table.ts";

/** The append-only logs of runs. */
export interface RunLog {
  /** Appends events and keeps the run's summary, unless the guard forbids it; call it inside a write transaction. */
  append(run: string, bodies: readonly EventBody[], at: number, guard?: AppendGuard): RunEvent[];
  events(run: string, part?: LogPart): RunEvent[];
}

/** The logs of a database. */
export function createRunLog(db: Database, runs: RunTable, leases: LeaseTable): RunLog {
  const insert = db.prepare("INSERT INTO events (run, seq, at, kind, body) VALUES (?, ?, ?, ?, ?)");
  return {
    append(run, bodies, at, { next, lease } = {}) {
      if (lease !== undefined) leases.check(run, lease);
      const { id, events: first } = runs.find(run) ?? runs.start(firstOf(run, bodies), at);
      if (first > 0 && bodies.some(({ kind }) => kind === "run.started")) throw misuse(run);
      if (next !== undefined && next !== first) throw takenOver(run);
      const events = bodies.map((body, index): RunEvent => ({ ...body, seq: first + index, at }));
      for (let i = 0; i < bodies.length; i++) insert.run(id, first + i, at, bodies[i]?.kind, withoutKind(bodies[i] as EventBody));
      runs.update(id, bodies);
      return events;
    },
    events: createReadLog(db),
  };
}

/**
 * An event's JSON without its kind, which has a column of its own. Cut out of the text: a copy of each event without it would cost as much
 * as the rest of the append.
 */
function withoutKind(body: EventBody): string {
  const json = JSON.stringify(body);
  const start = `{"kind":"${body.kind}",`;
  if (json.startsWith(start)) return `{${json.slice(start.length)}`;
  const { kind: _, ...rest } = body;
  return JSON.stringify(rest);
}

function firstOf(run: string, bodies: readonly EventBody[]): RunStarted {
  const [first] = bodies;
  if (first?.kind !== "run.started" || first.run !== run) throw misuse(run);
  return first;
}

function misuse(run: string): TroupeError {
  return new TroupeError("internal", `The log of run ${run} must begin with its run.started, which comes once.`);
}

function takenOver(run: string): TroupeError {
  return new TroupeError(
    "store_locked",
    `Another process goes on with run ${run}, so this one stops. Watch it with \`troupe show ${run}\`.`,
  );
}

import { isNewerVersion, type LogPart, type RunEvent, runEvent, troupeVersion, TroupeError } from "@troupe/schema";
import type { Database } from "better-sqlite3";
import { isCorrupt } from "./store-error.ts";

interface Row {
  readonly seq: number;
  readonly at: number;
  readonly kind: string;
  readonly body: string;
}

interface Read {
  readonly events: RunEvent[];
  /** Why it ended too early. */
  readonly fault?: unknown;
}

/** Reads the logs of a database; what can be read of a damaged one is kept for who asks for it. */
export function createReadLog(db: Database): (run: string, part?: LogPart) => RunEvent[] {
  const select = db.prepare<[string, number, number], Row>(`SELECT seq, at, kind, body FROM events
    WHERE run = (SELECT id FROM runs WHERE name = ?) AND seq >= ? ORDER BY seq LIMIT ?`);
  // Row by row in the order of writing, for when an index is damaged.
  const scan = db.prepare<[string, number, number], Row>(`SELECT seq, at, kind, body FROM events NOT INDEXED
    WHERE run = (SELECT id FROM runs NOT INDEXED WHERE name = ?) AND seq >= ? LIMIT ?`);
  const sessions = db
    .prepare<[string], string>(
      "SELECT body FROM events WHERE run = (SELECT id FROM runs WHERE name = ?) AND kind IN ('run.started', 'run.resumed')",
    )
    .pluck();

  return (run, { from = 0, limit = -1, damaged } = {}) => {
    const read = readRows(select.iterate(run, from, limit), from);
    if (read.fault === undefined) return read.events;
    const { fault } = read;
    if (damaged === undefined) throw faultOf(run, from + read.events.length, fault);
    const scanned = isCorrupt(fault) ? readRows(scan.iterate(run, from, limit), from).events : [];
    const events = scanned.length > read.events.length ? scanned : read.events;
    damaged(faultOf(run, from + events.length, fault));
    return events;
  };

  function faultOf(run: string, readable: number, cause: unknown): TroupeError {
    const newer = isCorrupt(cause)
      ? undefined
      : sessions
          .all(run)
          .map(versionOf)
          .find((version) => isNewerVersion(version));
    return newer === undefined ? damagedLog(run, readable, cause) : newerLog(run, { version: newer, readable, cause });
  }
}

function readRows(rows: Iterable<Row>, from: number): Read {
  const events: RunEvent[] = [];
  try {
    for (const row of rows) events.push(readEvent(row, from + events.length));
    return { events };
  } catch (fault) {
    // A lock or a full disk says nothing about the log's health.
    if (fault instanceof Error && "code" in fault && !isCorrupt(fault)) throw fault;
    return { events, fault };
  }
}

function readEvent({ seq, at, kind, body }: Row, expected: number): RunEvent {
  if (seq !== expected) throw new Error(`event ${expected} is missing`);
  return runEvent.parse({ ...JSON.parse(body), kind, seq, at });
}

function versionOf(body: string): string {
  try {
    const said: unknown = JSON.parse(body);
    const version = typeof said === "object" && said !== null && "version" in said ? said.version : undefined;
    return typeof version === "string" ? version : "";
  } catch {
    return "";
  }
}

function damagedLog(run: string, readable: number, cause: unknown): TroupeError {
  const rest = readable === 0 ? "Nothing of it can be read" : `${eventsUpTo(readable)} can still be read (\`troupe show ${run}\`)`;
  const message = `The log of run ${run} is damaged at event ${readable}. ${rest}; other runs are not affected by this. To go on with it, restore the database from a copy; else start it anew. (${reasonOf(cause)})`;
  return new TroupeError("store_damaged", message, { cause, details: { run, readable } });
}

function newerLog(run: string, { version, readable, cause }: { version: string; readable: number; cause: unknown }): TroupeError {
  const rest = readable === 0 ? "" : ` ${eventsUpTo(readable)} can be read (\`troupe show ${run}\`).`;
  const message = `The log of run ${run} was written by Troupe ${version}; this is ${troupeVersion}, which does not know what event ${readable} says.${rest} Update Troupe to go on with it.`;
  return new TroupeError("store_newer", message, { cause, details: { run, readable, version } });
}

/** The first thing that is wrong, in one short line. */
function reasonOf(cause: unknown): string {
  const issue = cause instanceof Error && "issues" in cause && Array.isArray(cause.issues) ? (cause.issues[0] as Issue) : undefined;
  const said = cause instanceof Error ? cause.message : String(cause);
  const message = issue === undefined ? said : `${issue.path.join(".")}: ${issue.message}`;
  return message.length <= 120 ? message : `${message.slice(0, 119)}…`;
}

/** What a schema says of one field. */
interface Issue {
  readonly path: readonly PropertyKey[];
  readonly message: string;
}

function eventsUpTo(count: number): string {
  return count === 1 ? "Event 0" : `Events 0 to ${count - 1}`;
}

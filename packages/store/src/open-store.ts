import type { Damaged, RunStore } from "@troupe/schema";
import Sqlite, { type Database } from "better-sqlite3";
import { createArtifactTable } from "./artifact-table.ts";
import { type ConnectOptions, connect, connectToRest } from "./connect.ts";
import { createLeaseTable } from "./lease-table.ts";
import { Retention } from "./retention.ts";
import { createRunLog } from "./run-log.ts";
import { createRunTable } from "./run-table.ts";
import { createWriter } from "./create-writer.ts";
import { guarded, isCorrupt, toStoreError } from "./store-error.ts";
import { currentProcess, type StoreProcess } from "./store-process.ts";

/** How {@link openStore} opens a database. */
export interface StoreOptions extends ConnectOptions {
  /** For whom runs are taken; default: this process. */
  readonly self?: StoreProcess;
  /** Told of a database that is too damaged to be worked with, in place of an error: it is opened for reading what is left. */
  readonly damaged?: Damaged;
}

/** Artifacts that wait in memory for the next append are written on their own beyond this many bytes. */
const mostWaiting = 4 * 1024 * 1024;

/**
 * Opens the store of runs and artifacts in a SQLite database, made or migrated as needed.
 *
 * Artifacts are written in the same transaction as the next events, so an event never names an artifact
 * that is not on disk. Several processes may have the same database open; each write waits its turn.
 *
 * @param path a file, whose folder is made if missing, or `:memory:`.
 * @throws TroupeError `store_newer`, `store_locked`, `store_damaged`, `store_unwritable`, `disk_full`, or
 *   `file_unreadable` when the file is another program's database.
 *
 * @example
 * const store = openStore(defaultDatabasePath(process.env, process.platform, homedir()));
 * const ref = store.put({ kind: "text", text: "hello" });
 */
export function openStore(path: string, options: StoreOptions = {}): RunStore {
  return guarded(path, () => createStore(connectOrSalvage(path, options), options.self));
}

function connectOrSalvage(path: string, { damaged, ...options }: StoreOptions): Database {
  try {
    return connect(path, options);
  } catch (thrown) {
    const left = damaged === undefined || !isCorrupt(thrown) ? undefined : connectToRest(path);
    if (left === undefined) throw thrown;
    damaged?.(toStoreError(thrown, path));
    return left;
  }
}

/** The store on an open, migrated database; it closes the database with itself. */
export function createStore(db: Database, self: StoreProcess = currentProcess()): RunStore {
  const artifacts = createArtifactTable(db);
  const runs = createRunTable(db);
  const leases = createLeaseTable(db, self);
  const log = createRunLog(db, runs, leases);
  const retention = new Retention(db, leases);

  const { write, immediate, noteTime, flush } = createWriter(db, artifacts);

  return {
    append: (run, bodies, at, guard) =>
      bodies.length === 0 ? [] : guarded(db.name, () => write(at, () => log.append(run, bodies, at, guard))),
    events: (run, part) => guarded(db.name, () => log.events(run, part)),
    resolve: (name, damaged) => guarded(db.name, () => runs.resolve(name, damaged)),
    list: (limit, damaged) => guarded(db.name, () => runs.list(limit, damaged)),
    put: (artifact) =>
      guarded(db.name, () => {
        const ref = artifacts.put(artifact);
        if (artifacts.waiting > mostWaiting) flush();
        return ref;
      }),
    get: ({ hash }) => guarded(db.name, () => artifacts.get(hash)),
    acquire: (run, now) =>
      guarded(db.name, () => {
        noteTime(now);
        return immediate(() => leases.acquire(run, now));
      }),
    renew: (run, lease, now) => guarded(db.name, () => immediate(() => leases.renew(run, lease, now))),
    release(run, lease) {
      try {
        guarded(db.name, () => immediate(() => leases.release(run, lease)));
      } catch (thrown) {
        leases.abandon(lease);
        throw thrown;
      }
    },
    holder: (run, now) => guarded(db.name, () => leases.holder(run, now)),
    remove: (names, now, dryRun = false) => guarded(db.name, () => retention.remove(names, now, dryRun)),
    compact: (now) => guarded(db.name, () => retention.compact(now)),
    close: () => guarded(db.name, () => close(db, artifacts.waiting > 0 ? flush : undefined)),
  };
}

function close(db: Database, flush: (() => void) | undefined): void {
  if (!db.open) return;
  if (db.readonly) {
    db.close();
    return;
  }
  try {
    flush?.();
    checkpoint(db);
  } finally {
    db.close();
  }
}

// Only tidies up: what is committed stays in the write-ahead log, so a full disk or a busy reader is no reason to fail.
function checkpoint(db: Database): void {
  try {
    db.pragma("wal_checkpoint(TRUNCATE)");
  } catch (thrown) {
    const isPassing = thrown instanceof Sqlite.SqliteError && /^SQLITE_(FULL|BUSY|LOCKED|IOERR)/.test(thrown.code);
    if (!isPassing) throw thrown;
  }
}

import { statSync } from "node:fs";
import { dirname } from "node:path";
import { TroupeError } from "@troupe/schema";
import Sqlite, { type Database } from "better-sqlite3";
import { makeFolder } from "./make-folder.ts";
import { isOfNewestVersion, migrate } from "./migrate.ts";

/** How {@link connect} opens a database. */
export interface ConnectOptions {
  /** Milliseconds to wait for another process's write before `store_locked`; default 5000. */
  readonly busyTimeoutMs?: number;
}

/**
 * Opens a database, made or migrated as needed, with the settings that the store relies on.
 *
 * @param path a file, whose folder is made if missing, or `:memory:`.
 */
export function connect(path: string, options: ConnectOptions = {}): Database {
  if (path !== ":memory:") {
    makeFolder(dirname(path));
    refuseDevices(path);
  }
  const busyTimeoutMs = options.busyTimeoutMs ?? 5000;
  const db = new Sqlite(path, { timeout: busyTimeoutMs });
  try {
    // Version first: a database that is not ours must not even be switched to WAL.
    migrate(db);
    switchToWal(db, busyTimeoutMs);
    db.pragma("synchronous = NORMAL");
    db.pragma("foreign_keys = ON");
    return db;
  } catch (thrown) {
    db.close();
    throw thrown;
  }
}

/** A folder or a device, such as /dev/null, can't hold a database, and what SQLite says of one helps nobody. */
function refuseDevices(path: string): void {
  const stats = statSync(path, { throwIfNoEntry: false });
  if (stats === undefined || stats.isFile()) return;
  throw new TroupeError(
    "store_unwritable",
    `${path} is ${stats.isDirectory() ? "a folder" : "no ordinary file"}, so it can't be a database. Name a file with --db.`,
  );
}

/**
 * Opens what is left of a damaged database, such as one that was cut off, for reading only; undefined when not even that is possible.
 *
 * @param path a file.
 */
export function connectToRest(path: string): Database | undefined {
  let db: Database | undefined;
  try {
    db = new Sqlite(path, { readonly: true, fileMustExist: true });
    // So SQLite does not mind that pages are missing at the end; it has effect only without the guard against such settings.
    db.unsafeMode(true);
    db.pragma("writable_schema = ON");
    if (isOfNewestVersion(db)) return db;
  } catch {
    // Who called knows what is wrong with it.
  }
  db?.close();
  return undefined;
}

// SQLite does not wait by itself when two processes switch a new database at the same moment.
function switchToWal(db: Database, busyTimeoutMs: number): void {
  const pauseMs = 20;
  for (let waitedMs = 0; ; waitedMs += pauseMs) {
    try {
      db.pragma("journal_mode = WAL");
      return;
    } catch (thrown) {
      const isBusy = thrown instanceof Sqlite.SqliteError && thrown.code.startsWith("SQLITE_BUSY");
      if (!isBusy || waitedMs >= busyTimeoutMs) throw thrown;
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, pauseMs);
    }
  }
}

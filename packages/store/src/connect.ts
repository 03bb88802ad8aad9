import { mkdirSync } from "node:fs";
import { dirname } from "node:path";
import Sqlite, { type Database } from "better-sqlite3";
import { migrate } from "./migrate.ts";

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
  if (path !== ":memory:") mkdirSync(dirname(path), { recursive: true });
  const db = new Sqlite(path, { timeout: options.busyTimeoutMs ?? 5000 });
  try {
    // Version first: a database that is not ours must not even be switched to WAL.
    migrate(db);
    db.pragma("journal_mode = WAL");
    db.pragma("synchronous = NORMAL");
    db.pragma("foreign_keys = ON");
    return db;
  } catch (thrown) {
    db.close();
    throw thrown;
  }
}

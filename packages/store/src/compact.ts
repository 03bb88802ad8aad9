import type { CompactedStore } from "@troupe/schema";
import Sqlite, { type Database } from "better-sqlite3";

/** Gives the free room of a database back to the disk, where that is possible now. */
export function compact(db: Database): CompactedStore {
  const before = sizeOf(db);
  try {
    db.exec("VACUUM");
    db.pragma("wal_checkpoint(TRUNCATE)");
    return { before, after: sizeOf(db) };
  } catch (thrown) {
    const left = whyNot(thrown);
    if (left === undefined) throw thrown;
    return { before, after: sizeOf(db), left };
  }
}

/** The size of a database in bytes. */
export function sizeOf(db: Database): number {
  return Number(db.pragma("page_count", { simple: true })) * Number(db.pragma("page_size", { simple: true }));
}

function whyNot(thrown: unknown): CompactedStore["left"] {
  if (!(thrown instanceof Sqlite.SqliteError)) return undefined;
  if (/^SQLITE_(BUSY|LOCKED)/.test(thrown.code)) return "in use";
  return thrown.code.startsWith("SQLITE_FULL") ? "disk full" : undefined;
}

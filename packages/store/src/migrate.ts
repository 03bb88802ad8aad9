import { TroupeError } from "@troupe/schema";
import type { Database } from "better-sqlite3";
import { migrations } from "./migrations.ts";

/** The bytes "Trup" in the file's header: what tells our databases from those of other programs. */
const applicationId = 0x54727570;

/**
 * Brings a database to the newest version, step by step in one transaction; an empty file becomes a new store.
 * A database that is newer or not ours is left untouched.
 *
 * @param steps the schema's history; other than ours only in tests.
 * @throws TroupeError `store_newer` for a database of a later version, `file_unreadable` for one of another program.
 */
export function migrate(db: Database, steps: readonly ((db: Database) => void)[] = migrations): void {
  if (versionOf(db, steps.length) === steps.length) return;
  const forward = () => {
    // Another process may have migrated between the look above and this lock.
    for (const step of steps.slice(versionOf(db, steps.length))) step(db);
    db.pragma(`application_id = ${applicationId}`);
    db.pragma(`user_version = ${steps.length}`);
  };
  db.transaction(forward).immediate();
}

/** Whether a database is ours and needs no migration. @throws what {@link migrate} throws. */
export function isOfNewestVersion(db: Database): boolean {
  return versionOf(db, migrations.length) === migrations.length;
}

function versionOf(db: Database, newest: number): number {
  // In this order: another process may be making the tables just now, and gives them their mark in the same commit.
  const isForeign = !isEmpty(db) && db.pragma("application_id", { simple: true }) !== applicationId;
  if (isForeign) throw new TroupeError("file_unreadable", `${db.name} is a database of another program. Use another --db.`);
  const version = Number(db.pragma("user_version", { simple: true }));
  if (version > newest) {
    const message = `${db.name} has version ${version}; this Troupe reads up to version ${newest}. Update Troupe, or use another --db.`;
    throw new TroupeError("store_newer", message, { details: { version, newest } });
  }
  return version;
}

function isEmpty(db: Database): boolean {
  return db.prepare("SELECT 1 FROM sqlite_schema LIMIT 1").get() === undefined;
}

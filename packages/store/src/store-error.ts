import { statfsSync } from "node:fs";
import { dirname } from "node:path";
import { type ErrorCode, isTroupeError, TroupeError } from "@troupe/schema";

interface Family {
  /** Beginning of the code that SQLite or the file system gives. */
  readonly prefix: RegExp;
  readonly code: ErrorCode;
  readonly says: (path: string) => string;
}

const families: readonly Family[] = [
  {
    prefix: /^SQLITE_(BUSY|LOCKED|PROTOCOL)/,
    code: "store_locked",
    says: (path) => `Another process is writing to ${path}. Wait for it to end, or use another --db.`,
  },
  {
    prefix: /^(SQLITE_FULL|ENOSPC|EDQUOT)/,
    code: "disk_full",
    says: (path) => `There is no room left to write ${path}. Make room and resume the run; nothing that was committed is lost.`,
  },
  {
    prefix: /^SQLITE_(CORRUPT|NOTADB)/,
    code: "store_damaged",
    says: (path) =>
      `${path} is not a sound database. Restore it from a copy, or use another --db; \`sqlite3 ${path} .recover\` may bring what is left into a new one.`,
  },
  {
    prefix: /^(SQLITE_(CANTOPEN|READONLY|PERM|AUTH)|E[A-Z]+$)/,
    code: "store_unwritable",
    says: (path) => `${path} can't be opened for writing. Make its folder writable, or use another --db.`,
  },
];

/**
 * Turns what SQLite or the file system threw into a TroupeError; unknown faults become `internal`.
 *
 * @param path the database's path, for the message.
 */
export function toStoreError(thrown: unknown, path: string): TroupeError {
  if (isTroupeError(thrown)) return thrown;
  const code = codeOf(thrown, path);
  const family = families.find(({ prefix }) => prefix.test(code));
  const reason = thrown instanceof Error ? thrown.message : String(thrown);
  if (family === undefined) return new TroupeError("internal", `The store at ${path} failed: ${reason}`, { cause: thrown });
  return new TroupeError(family.code, `${family.says(path)} (${reason})`, { cause: thrown, details: { path, sqlite: code } });
}

/** Whether something was thrown because the database is damaged. */
export function isCorrupt(thrown: unknown): boolean {
  return thrown instanceof Error && "code" in thrown && /^SQLITE_(CORRUPT|NOTADB)/.test(String(thrown.code));
}

/** Runs work on the database at a path; whatever it throws comes out as a TroupeError. */
export function guarded<T>(path: string, work: () => T): T {
  try {
    return work();
  } catch (thrown) {
    throw toStoreError(thrown, path);
  }
}

function codeOf(thrown: unknown, path: string): string {
  const code = thrown instanceof Error && "code" in thrown ? String(thrown.code) : "";
  return code.startsWith("SQLITE_IOERR") && isFull(path) ? "ENOSPC" : code;
}

// The side files of a database report a full disk as a plain I/O error, so the disk itself is asked.
function isFull(path: string): boolean {
  try {
    const { bavail, bsize } = statfsSync(dirname(path));
    return bavail * bsize < 1024 * 1024;
  } catch {
    return false;
  }
}

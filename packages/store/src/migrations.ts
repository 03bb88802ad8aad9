import type { Database } from "better-sqlite3";

/**
 * The schema's history: the function at index n takes a database from version n to version n + 1.
 * Released functions are never edited; a change of the schema is a new function at the end.
 */
export const migrations: readonly ((db: Database) => void)[] = [createTables, createLeases, createRetention];

function createTables(db: Database): void {
  db.exec(`
    CREATE TABLE runs (
      id INTEGER PRIMARY KEY,
      name TEXT NOT NULL UNIQUE,
      topology TEXT NOT NULL,
      task TEXT NOT NULL,
      started_at REAL NOT NULL,
      events INTEGER NOT NULL,
      outcome TEXT,
      calls INTEGER NOT NULL DEFAULT 0,
      input_tokens INTEGER NOT NULL DEFAULT 0,
      output_tokens INTEGER NOT NULL DEFAULT 0,
      usd REAL NOT NULL DEFAULT 0,
      seconds REAL NOT NULL DEFAULT 0,
      estimated INTEGER NOT NULL DEFAULT 0
    ) STRICT;

    CREATE TABLE events (
      run INTEGER NOT NULL REFERENCES runs (id),
      seq INTEGER NOT NULL,
      at REAL NOT NULL,
      kind TEXT NOT NULL,
      body TEXT NOT NULL,
      UNIQUE (run, seq)
    ) STRICT;

    CREATE TABLE artifacts (
      hash BLOB NOT NULL UNIQUE,
      kind TEXT NOT NULL,
      bytes INTEGER NOT NULL,
      encoding TEXT NOT NULL CHECK (encoding IN ('plain', 'deflate')),
      body BLOB NOT NULL
    ) STRICT;
  `);
}

// By name, not by key: a run is taken before its first event is there.
function createLeases(db: Database): void {
  db.exec(`
    CREATE TABLE leases (
      run TEXT PRIMARY KEY,
      name TEXT NOT NULL,
      pid INTEGER NOT NULL,
      host TEXT NOT NULL,
      place TEXT NOT NULL,
      since REAL NOT NULL,
      until REAL NOT NULL
    ) STRICT, WITHOUT ROWID;
  `);
}

// An artifact is on disk a moment before the event that names it; the time tells which ones a running session may be about to name.
function createRetention(db: Database): void {
  db.exec(`
    ALTER TABLE artifacts ADD COLUMN put_at REAL NOT NULL DEFAULT 0;

    CREATE TABLE pruned (
      run TEXT PRIMARY KEY,
      at REAL NOT NULL
    ) STRICT, WITHOUT ROWID;
  `);
}

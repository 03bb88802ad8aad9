import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { isTroupeError } from "@troupe/schema";
import Sqlite, { type Database } from "better-sqlite3";
import { afterEach, beforeEach, expect, it } from "vitest";
import { migrate } from "./migrate.ts";
import { migrations } from "./migrations.ts";
import { openStore } from "./open-store.ts";

let folder = "";
let path = "";
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "troupe-migrate-"));
  path = join(folder, "runs.db");
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

/** A database as a version of Troupe that is out in the world wrote it. */
function writeFixture(version: number): void {
  const db = new Sqlite(path);
  db.exec(readFileSync(new URL(`./fixtures/version-${version}.sql`, import.meta.url), "utf8"));
  db.close();
}

function withDatabase<T>(work: (db: Database) => T): T {
  const db = new Sqlite(path);
  try {
    return work(db);
  } finally {
    db.close();
  }
}

const versionOf = (db: Database): unknown => db.pragma("user_version", { simple: true });
const addColour = (db: Database): void => void db.exec("ALTER TABLE runs ADD COLUMN colour TEXT NOT NULL DEFAULT 'red'");
const countEvents = (db: Database): void => void db.exec("UPDATE runs SET colour = colour || events");

it.each([1, 2])("openStore() reads all of a version %d database and brings it to the newest version", (version) => {
  writeFixture(version);
  const store = openStore(path);
  expect(store.list(5)).toMatchObject([{ run: "amber-fox", outcome: "completed", events: 6, usage: { inputTokens: 900 } }]);
  const events = store.events(store.resolve("last"));
  expect(events.map(({ seq }) => seq)).toEqual([0, 1, 2, 3, 4, 5]);
  const settled = events.find((event) => event.kind === "activation.settled");
  expect(store.get({ hash: settled?.artifact?.hash ?? "" })).toEqual({ kind: "text", text: "print('hello')" });
  expect(store.get({ hash: "b00cc1121fc910c58bc84ff8274acde87981a70cc3c5cf11fb4742ca3d4bb608" }).kind).toBe("text");
  expect(store.holder("amber-fox", 1767225600000)?.host).toBe(version === 1 ? undefined : "far-away");
  expect(store.remove(["amber-fox"], 1767225700000)).toMatchObject({ runs: 1, events: 6 });
  store.close();
  expect(withDatabase(versionOf)).toBe(migrations.length);
});

it("migrate() takes a version 1 database forward, each step once and in order", () => {
  writeFixture(1);
  const steps = [...migrations.slice(0, 1), addColour, countEvents];
  withDatabase((db) => migrate(db, steps));
  withDatabase((db) => migrate(db, steps));
  expect(withDatabase((db) => [versionOf(db), db.prepare("SELECT colour FROM runs").pluck().get()])).toEqual([3, "red6"]);
});

it("migrate() leaves the database as it was when a step fails", () => {
  writeFixture(1);
  const broken = (db: Database): void => void db.exec("UPDATE no_such_table SET x = 1");
  expect(() => withDatabase((db) => migrate(db, [...migrations.slice(0, 1), addColour, broken]))).toThrow("no_such_table");
  expect(
    withDatabase((db) => [
      versionOf(db),
      db
        .prepare("SELECT * FROM runs")
        .columns()
        .some(({ name }) => name === "colour"),
    ]),
  ).toEqual([1, false]);
});

it("migrate() refuses a database of a newer version", () => {
  writeFixture(1);
  withDatabase((db) => migrate(db, [...migrations.slice(0, 1), addColour]));
  let thrown: unknown;
  try {
    withDatabase((db) => migrate(db, migrations.slice(0, 1)));
  } catch (error) {
    thrown = error;
  }
  expect(isTroupeError(thrown, "store_newer")).toBe(true);
  expect(withDatabase(versionOf)).toBe(2);
});

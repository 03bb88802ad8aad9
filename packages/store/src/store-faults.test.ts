import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type ArtifactRef, type EventBody, isTroupeError, type RunStore, type TroupeError } from "@troupe/schema";
import Sqlite from "better-sqlite3";
import { afterEach, beforeEach, expect, it } from "vitest";
import { callSettled, runEnded, runStarted } from "../../../test/support/run-events.ts";
import { connect } from "./connect.ts";
import { createStore, openStore } from "./open-store.ts";
import { toStoreError } from "./store-error.ts";

let folder = "";
let path = "";
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "troupe-store-"));
  path = join(folder, "runs.db");
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

function fault(work: () => unknown): TroupeError {
  try {
    work();
  } catch (thrown) {
    if (isTroupeError(thrown)) return thrown;
    throw thrown;
  }
  throw new Error("nothing was thrown");
}

/** Writes two runs, then lets a test spoil the file with plain SQL. */
function spoil(sql: string): void {
  const store = openStore(path);
  store.put({ kind: "text", text: "precious ".repeat(400) });
  store.append("one", [runStarted("one"), callSettled(), callSettled(), runEnded()], 1);
  store.append("two", [runStarted("two")], 2);
  store.close();
  const db = new Sqlite(path);
  db.exec(sql);
  db.close();
}

it("append() throws store_locked when another process keeps the lock, and works again afterwards", () => {
  const store = openStore(path, { busyTimeoutMs: 20 });
  const other = new Sqlite(path);
  other.exec("BEGIN IMMEDIATE");
  const error = fault(() => store.append("one", [runStarted("one")], 1));
  expect([error.code, error.retryable]).toEqual(["store_locked", true]);
  other.exec("COMMIT");
  other.close();
  expect(store.append("one", [runStarted("one")], 1)).toHaveLength(1);
  store.close();
});

it("append() throws disk_full, keeps what was committed, and goes on once there is room", () => {
  const db = connect(path);
  const store = createStore(db);
  store.append("one", [runStarted("one")], 1);
  db.pragma(`max_page_count = ${Number(db.pragma("page_count", { simple: true })) + 2}`);
  const big: EventBody = { kind: "notice", notice: { topic: "big", scope: "", data: "x".repeat(100_000) } };
  const ref = store.put({ kind: "text", text: "kept for later" });
  expect(fault(() => store.append("one", [callSettled(), big], 2)).code).toBe("disk_full");
  expect(store.events("one")).toHaveLength(1);

  db.pragma("max_page_count = 1000000");
  expect(store.append("one", [callSettled(), big], 3).map(({ seq }) => seq)).toEqual([1, 2]);
  store.close();
  const again = openStore(path);
  expect(again.get(ref)).toEqual({ kind: "text", text: "kept for later" });
  expect(again.events("one")).toHaveLength(3);
  again.close();
});

it.each([
  ["an event that is not JSON", "UPDATE events SET body = '{' WHERE run = 1 AND seq = 2", 2],
  ["an event of an unknown kind", "UPDATE events SET kind = 'gossip' WHERE run = 1 AND seq = 1", 1],
  ["an event with a field of a wrong type", `UPDATE events SET body = json_set(body, '$.attempt', 'x') WHERE run = 1 AND seq = 2`, 2],
  ["an event that is missing", "DELETE FROM events WHERE run = 1 AND seq = 1", 1],
])("events() throws store_damaged for %s and says what can still be read", (_what, sql, readable) => {
  spoil(sql);
  const store = openStore(path);
  const error = fault(() => store.events("one"));
  expect(error.code).toBe("store_damaged");
  expect(error.details).toEqual({ run: "one", readable });
  expect(error.message).toContain(readable === 1 ? "Event 0 can still be read" : `Events 0 to ${readable - 1} can still be read`);
  expect(store.events("two")).toHaveLength(1);
  store.close();
});

it.each([
  ["a changed body", 'UPDATE artifacts SET encoding = \'plain\', body = CAST(\'{"kind":"text","text":"forged"}\' AS BLOB)'],
  ["a body that can't be unpacked", "UPDATE artifacts SET body = x'00ff00ff'"],
  ["a body that unfolds to more than it says", "UPDATE artifacts SET bytes = 10"],
])("get() throws store_damaged for %s", (_what, sql) => {
  spoil(sql);
  const store = openStore(path);
  const { hash } = openStore(":memory:").put({ kind: "text", text: "precious ".repeat(400) });
  expect(fault(() => store.get({ hash })).code).toBe("store_damaged");
  store.close();
});

it("openStore() meets a spoilt page, wherever it is, with store_damaged", () => {
  const full = openStore(path);
  const ref = full.put({ kind: "text", text: "precious" });
  full.append("one", [runStarted("one")], 1);
  for (let n = 0; n < 40; n++) full.append("one", [callSettled({}, n)], n);
  const events = full.events("one");
  full.close();
  const sound = readFileSync(path);
  const ends: string[] = [];
  for (let page = 0; page < sound.length / 4096; page++) {
    const spoilt = Buffer.from(sound);
    spoilt.fill(0xff, page * 4096 + (page === 0 ? 100 : 0), (page + 1) * 4096);
    writeFileSync(path, spoilt);
    ends.push(endOf(() => expect(readAll(ref)).toEqual([events, { kind: "text", text: "precious" }])));
  }
  expect(new Set(ends)).toEqual(new Set(["store_damaged"]));
});

function readAll(ref: ArtifactRef): unknown[] {
  const store = openStore(path);
  try {
    store.list(10);
    store.holder("one", 0);
    resolveNobody(store);
    return [store.events("one"), store.get(ref)];
  } finally {
    store.close();
  }
}

/** Looks among pruned runs as well. */
function resolveNobody(store: RunStore): void {
  try {
    store.resolve("nobody");
  } catch (thrown) {
    if (!isTroupeError(thrown, "run_unknown")) throw thrown;
  }
}

function endOf(work: () => void): string {
  try {
    work();
    return "sound";
  } catch (thrown) {
    return isTroupeError(thrown) ? thrown.code : String(thrown);
  }
}

it.each([
  ["SQLITE_BUSY", "store_locked"],
  ["SQLITE_BUSY_SNAPSHOT", "store_locked"],
  ["SQLITE_FULL", "disk_full"],
  ["ENOSPC", "disk_full"],
  ["EDQUOT", "disk_full"],
  ["SQLITE_CORRUPT_INDEX", "store_damaged"],
  ["SQLITE_NOTADB", "store_damaged"],
  ["SQLITE_CANTOPEN", "store_unwritable"],
  ["SQLITE_READONLY_DIRECTORY", "store_unwritable"],
  ["EACCES", "store_unwritable"],
  ["EROFS", "store_unwritable"],
  ["SQLITE_IOERR_READ", "internal"],
  ["SQLITE_CONSTRAINT_UNIQUE", "internal"],
])("toStoreError() turns %s into %s with the path in the message", (code, expected) => {
  const error = toStoreError(Object.assign(new Error("said SQLite"), { code }), path);
  expect(error.code).toBe(expected);
  expect(error.message).toContain(path);
  expect(error.message).toContain("said SQLite");
});

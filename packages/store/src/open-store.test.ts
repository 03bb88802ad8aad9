import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type Artifact, createRandom, type ErrorCode, type EventBody, isTroupeError } from "@troupe/schema";
import Sqlite from "better-sqlite3";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { activationEvents, runEnded, runStarted } from "../../../test/support/run-events.ts";
import { runStoreContract } from "../../../test/support/run-store-contract.ts";
import { connect } from "./connect.ts";
import { openStore } from "./open-store.ts";

let folder = "";
let path = "";
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "troupe-store-"));
  path = join(folder, "runs.db");
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

function codeOf(work: () => unknown): ErrorCode | undefined {
  try {
    work();
  } catch (thrown) {
    return isTroupeError(thrown) ? thrown.code : undefined;
  }
  return undefined;
}

/** Text that hardly compresses, like the base64 of random bytes. */
function noise(seed: number, length: number): string {
  const random = createRandom(seed);
  return Array.from({ length }, () => String.fromCharCode(48 + Math.floor(random.next() * 64))).join("");
}

runStoreContract("openStore(:memory:)", () => openStore(":memory:"));
runStoreContract("openStore(file)", () => openStore(join(mkdtempSync(join(folder, "contract-")), "runs.db")));

describe("openStore() on disk", () => {
  it("makes the folder and finds everything again after close", () => {
    const nested = join(folder, "a", "b", "runs.db");
    const store = openStore(nested);
    const artifact: Artifact = { kind: "files", files: [{ path: "main.py", encoding: "utf8", content: "print(1)\n".repeat(500) }] };
    const ref = store.put(artifact);
    const events = store.append("one", [runStarted("one"), ...activationEvents(0, ref), runEnded()], 5);
    store.close();
    expect(existsSync(`${nested}-wal`)).toBe(false);

    const again = openStore(nested);
    expect(again.events("one")).toEqual(events);
    expect(again.get(ref)).toEqual(artifact);
    again.close();
  });

  it("close() keeps artifacts that no event followed, and may be called twice", () => {
    const store = openStore(path);
    const ref = store.put({ kind: "text", text: "alone" });
    store.close();
    store.close();
    const again = openStore(path);
    expect(again.get(ref)).toEqual({ kind: "text", text: "alone" });
    again.close();
  });

  it("append() writes artifacts and the events that name them in one transaction, or none of them", () => {
    const store = openStore(path);
    store.append("one", [runStarted("one")], 1);
    const ref = store.put({ kind: "text", text: "of the activation that settles" });
    const reader = new Sqlite(path, { readonly: true });
    const count = () => reader.prepare("SELECT (SELECT count(*) FROM artifacts), (SELECT count(*) FROM events)").raw().get();
    expect(count()).toEqual([0, 1]);
    expect(() => store.append("one", activationEvents(0, ref), 2, { lease: "lost" })).toThrow();
    expect(count()).toEqual([0, 1]);
    store.append("one", activationEvents(0, ref), 2);
    expect(count()).toEqual([1, 6]);
    reader.close();
    store.close();
  });

  it("append() keeps each event's fields, wherever its kind stands among them", () => {
    const store = openStore(path);
    const { kind, ...rest } = runEnded() as Extract<EventBody, { kind: "run.ended" }>;
    const events = store.append("one", [runStarted("one"), { ...rest, kind }], 1);
    expect(store.events("one")).toEqual(events);
    store.close();
  });

  it("uses WAL, synchronous NORMAL, foreign keys and a busy timeout of 5 seconds", () => {
    const db = connect(path);
    const values = ["journal_mode", "synchronous", "foreign_keys", "busy_timeout"].map((name) => db.pragma(name, { simple: true }));
    db.close();
    expect(values).toEqual(["wal", 1, 1, 5000]);
  });

  it("stores a tree once however its files are ordered", () => {
    const store = openStore(path);
    const [a, b] = ["a.py", "b.py"].map((name) => ({ path: name, encoding: "utf8" as const, content: name }));
    if (a === undefined || b === undefined) throw new Error("two files");
    expect(store.put({ kind: "files", files: [b, a] })).toEqual(store.put({ kind: "files", files: [a, b] }));
    store.close();
  });

  it("writes waiting artifacts on their own before they fill the memory", () => {
    const store = openStore(path);
    for (let n = 0; n < 6; n++) store.put({ kind: "text", text: noise(n, 1_000_000) });
    const other = openStore(path);
    expect(other.get(store.put({ kind: "text", text: noise(0, 1_000_000) })).kind).toBe("text");
    other.close();
    store.close();
  });
});

describe("openStore() bytes on disk", () => {
  it.each([10, 50, 200, 2000])("stay within three times the payload after %d activations of 1 KB", (activations) => {
    const store = openStore(path);
    let payload = 0;
    store.append("one", [runStarted("one")], 0);
    for (let id = 0; id < activations; id++) {
      const ref = store.put({ kind: "text", text: noise(id, 1000) });
      const events = activationEvents(id, ref);
      store.append("one", events, id);
      payload += ref.bytes + Buffer.byteLength(events.map((event) => JSON.stringify(event)).join("\n"));
    }
    store.close();
    expect(statSync(path).size).toBeLessThanOrEqual(3 * payload);
  });
});

describe("openStore() refuses", () => {
  it("a database of a newer version, and does not touch it", () => {
    openStore(path).close();
    const db = new Sqlite(path);
    db.pragma("user_version = 99");
    db.pragma("journal_mode = DELETE");
    db.close();
    const before = readFileSync(path);
    expect(codeOf(() => openStore(path))).toBe("store_newer");
    expect(readFileSync(path)).toEqual(before);
  });

  it("the database of another program, and does not touch it", () => {
    const db = new Sqlite(path);
    db.exec("CREATE TABLE bookmarks (url TEXT)");
    db.close();
    const before = readFileSync(path);
    expect(codeOf(() => openStore(path))).toBe("file_unreadable");
    expect(readFileSync(path)).toEqual(before);
  });

  it("a file that is no database", () => {
    writeFileSync(path, "This is a letter, not a database.\n".repeat(100));
    expect(codeOf(() => openStore(path))).toBe("store_damaged");
  });

  it("a path that is a folder, or lies below a file", () => {
    mkdirSync(path);
    expect(codeOf(() => openStore(path))).toBe("store_unwritable");
    writeFileSync(join(folder, "file"), "");
    expect(codeOf(() => openStore(join(folder, "file", "runs.db")))).toBe("store_unwritable");
  });
});

it("openStore() refuses a folder and a device in plain words", () => {
  for (const path of ["/dev/null", "/"])
    expect(() => openStore(path)).toThrow(expect.objectContaining({ code: "store_unwritable" }) as Error);
});

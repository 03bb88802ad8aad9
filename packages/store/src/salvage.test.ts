import { mkdtempSync, readFileSync, rmSync, truncateSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { isTroupeError, type RunEvent, type RunSummary, type TroupeError } from "@troupe/schema";
import Sqlite from "better-sqlite3";
import { afterEach, beforeEach, expect, it } from "vitest";
import { callSettled, runEnded, runStarted } from "../../../test/support/run-events.ts";
import { openStore } from "./open-store.ts";

const page = 4096;
let folder = "";
let path = "";
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "troupe-store-"));
  path = join(folder, "runs.db");
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

/** A database of many runs, of which the last has a long log. */
function fill(): { readonly sound: Buffer; readonly log: readonly RunEvent[]; readonly list: readonly RunSummary[] } {
  const store = openStore(path);
  for (let n = 0; n < 60; n++) store.append(`run-${n}`, [runStarted(`run-${n}`, `Task ${n}. ${"word ".repeat(30)}`)], n);
  store.append("long", [runStarted("long")], 100);
  for (let n = 0; n < 80; n++) store.append("long", [callSettled({}, n)], 100 + n);
  const kept = { log: store.events("long"), list: store.list(100) };
  store.close();
  return { ...kept, sound: readFileSync(path) };
}

/** What can be read, and what was told meanwhile; undefined when the file can't even be opened. */
function salvage() {
  const told: TroupeError[] = [];
  const damaged = (error: TroupeError): void => void told.push(error);
  let store: ReturnType<typeof openStore>;
  try {
    store = openStore(path, { damaged });
  } catch (thrown) {
    if (!isTroupeError(thrown, "store_damaged")) throw thrown;
    return undefined;
  }
  try {
    return { told, list: store.list(100, damaged), events: store.events("long", { damaged }), name: resolved(store, damaged) };
  } finally {
    store.close();
  }
}

function resolved(store: ReturnType<typeof openStore>, damaged: (error: TroupeError) => void): string | undefined {
  try {
    return store.resolve("run-7", damaged);
  } catch (thrown) {
    if (!isTroupeError(thrown, "run_unknown")) throw thrown;
    return undefined;
  }
}

it("a spoilt page leaves everything beside it readable, and the file as it is", () => {
  const { sound, log, list } = fill();
  const [events, runs]: [number[], number[]] = [[], []];
  let unopened = 0;
  for (let at = 0; at < sound.length; at += page) {
    const spoilt = Buffer.from(sound);
    spoilt.fill(0xff, at + (at === 0 ? 100 : 0), at + page);
    writeFileSync(path, spoilt);
    const found = salvage();
    expect(readFileSync(path).equals(spoilt)).toBe(true);
    if (found === undefined) {
      unopened++;
      continue;
    }
    expect(found.events).toEqual(log.slice(0, found.events.length));
    for (const run of found.list) expect(list).toContainEqual(run);
    const isWhole = found.events.length === log.length && found.list.length === list.length && found.name === "run-7";
    if (!isWhole) expect(found.told.map(({ code }) => code)).toContain("store_damaged");
    events.push(found.events.length);
    runs.push(found.list.length);
  }
  // The first page says what tables there are.
  expect(unopened).toBe(1);
  // Pages of the log, and of the list, cost a part of it.
  expect(events.some((count) => count > 0 && count < log.length)).toBe(true);
  expect(runs.some((count) => count > 0 && count < list.length)).toBe(true);
  expect(events.filter((count) => count === log.length).length).toBeGreaterThan(events.length / 2);
});

it("a file that was cut off is read as far as it goes, and is left as it is", () => {
  const { sound, log } = fill();
  const found = [0.9, 0.6, 0.4].map((share) => {
    writeFileSync(path, sound);
    truncateSync(path, Math.floor((sound.length * share) / page) * page);
    const before = readFileSync(path);
    const read = salvage();
    expect(readFileSync(path).equals(before)).toBe(true);
    expect(read?.events).toEqual(log.slice(0, read?.events.length));
    expect(read?.told.length).toBeGreaterThan(0);
    return read?.list.length ?? 0;
  });
  expect(Math.max(...found)).toBeGreaterThan(0);
});

it("what is damaged is an error unless somebody makes do with the rest", () => {
  const { sound } = fill();
  const isDamaged = expect.objectContaining({ code: "store_damaged", message: expect.stringContaining("copy") });
  // The page before the last is of the log.
  writeFileSync(path, Buffer.from(sound).fill(0xff, sound.length - 2 * page, sound.length - page));
  const store = openStore(path);
  expect(() => store.events("long")).toThrow(isDamaged);
  store.close();
  writeFileSync(path, sound.subarray(0, Math.floor(sound.length / page / 2) * page));
  expect(() => openStore(path)).toThrow(isDamaged);
  const rest = openStore(path, { damaged: () => undefined });
  expect(() => rest.append("new", [runStarted("new")], 1)).toThrow(expect.objectContaining({ code: "store_unwritable" }));
  rest.close();
});

it("events() refuses a log that a newer version has written, and shows what it knows of it", () => {
  const store = openStore(path);
  const { version: _, ...started } = { ...runStarted("one"), version: "" };
  store.append("one", [{ ...started, version: "0.9.3" } as ReturnType<typeof runStarted>, callSettled(), runEnded()], 1);
  store.close();
  const db = new Sqlite(path);
  db.exec("UPDATE events SET kind = 'gossip' WHERE seq = 1");
  db.close();
  const again = openStore(path);
  const told: TroupeError[] = [];
  expect(again.events("one", { damaged: (error) => void told.push(error) })).toHaveLength(1);
  expect(told).toMatchObject([{ code: "store_newer", exit: 2, details: { version: "0.9.3", readable: 1 } }]);
  expect(() => again.events("one")).toThrow(/written by Troupe 0\.9\.3; this is .* Update Troupe/);
  again.close();
});

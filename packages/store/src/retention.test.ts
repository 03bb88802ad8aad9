import { mkdtempSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type Artifact, createRandom, leaseMilliseconds, type RunStore } from "@troupe/schema";
import { afterEach, beforeEach, expect, it } from "vitest";
import { activationEvents, runEnded, runStarted } from "../../../test/support/run-events.ts";
import { openStore } from "./open-store.ts";

let folder = "";
let path = "";
const open: RunStore[] = [];
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "troupe-retention-"));
  path = join(folder, "runs.db");
});
afterEach(() => {
  for (const store of open.splice(0)) store.close();
  rmSync(folder, { recursive: true, force: true });
});

function newStore(): RunStore {
  const store = openStore(path);
  open.push(store);
  return store;
}

const now = Date.UTC(2026, 0, 2);
/** Text that hardly compresses. */
const noise = (seed: number, length = 100_000): Artifact => {
  const random = createRandom(seed);
  return { kind: "text", text: Array.from({ length }, () => String.fromCharCode(48 + random.integer(64))).join("") };
};

function write(store: RunStore, run: string, artifact: Artifact, at = now): void {
  store.append(run, [runStarted(run), ...activationEvents(0, store.put(artifact)), runEnded()], at);
}

it("compact() gives the room of removed runs back to the disk", () => {
  const store = newStore();
  for (let n = 0; n < 20; n++) write(store, `run-${n}`, noise(n));
  const names = Array.from({ length: 18 }, (_, n) => `run-${n}`);
  const { bytes } = store.remove(names, now);
  const { before, after, left } = store.compact(now);
  expect(left).toBeUndefined();
  expect(before - after).toBeGreaterThan(0.9 * bytes);
  store.close();
  expect(statSync(path).size).toBe(after);
  expect(newStore().list(99)).toHaveLength(2);
});

it("compact() leaves the file alone while somebody works on a run, or reads in it", () => {
  const store = newStore();
  for (let n = 0; n < 5; n++) write(store, `run-${n}`, noise(n));
  store.remove(["run-0", "run-1"], now);
  const lease = newStore().acquire("run-4", now);
  const kept = store.compact(now);
  expect(kept).toEqual({ before: kept.after, after: kept.after, left: "in use" });
  store.release("run-4", lease);
  expect(store.compact(now).left).toBeUndefined();
});

it("remove() also takes out what no log names, unless a session may be about to name it", () => {
  const store = newStore();
  write(store, "old", noise(1, 100), now - 1000);
  const other = newStore();
  const lease = other.acquire("going", now);
  other.append("going", [runStarted("going")], now, { lease });
  const named = other.put({ kind: "text", text: "on disk before its event" });
  // Something else of the same process brings it to the disk.
  write(other, "beside", noise(2, 100));
  expect(store.remove(["old"], now).artifacts).toBe(1);
  other.append("going", activationEvents(0, named), now, { lease });
  expect(store.get(named).kind).toBe("text");

  const orphan = other.put({ kind: "text", text: "of a session that was killed" });
  write(other, "last", noise(3, 100));
  expect(store.remove(["beside"], now + leaseMilliseconds).artifacts).toBe(2);
  expect(() => store.get(orphan)).toThrow("not in the database");
});

it("remove() takes nothing away that was put again before its run was removed", () => {
  const store = newStore();
  const shared = noise(1, 100);
  write(store, "old", shared, now - 1000);
  const other = newStore();
  const lease = other.acquire("going", now);
  const ref = other.put(shared);
  expect(store.remove(["old"], now).artifacts).toBe(1);
  other.append("going", [runStarted("going"), ...activationEvents(0, ref)], now, { lease });
  expect(store.get(ref)).toEqual(shared);
});

it.each([
  ["small", 100],
  ["packed", 20_000],
])("remove() leaves a %s artifact that a session put again, also by a clock that jumped back", (_, length) => {
  const store = newStore();
  const shared: Artifact = { kind: "text", text: "again ".repeat(length / 6) };
  write(store, "old", shared, now - 1000);
  const other = newStore();
  const lease = other.acquire("going", now);
  other.append("going", [runStarted("going")], now, { lease });
  const ref = other.put(shared);
  // Something else of the same process brings it to the disk.
  write(other, "beside", noise(2, 100), now - 5000);
  expect(store.remove(["old"], now)).toMatchObject({ runs: 1, artifacts: 0 });
  other.append("going", activationEvents(0, ref), now, { lease });
  expect(store.get(ref)).toEqual(shared);
});

it("remove() leaves an artifact as long as any run names it", () => {
  const store = newStore();
  const shared = noise(1, 100);
  write(store, "old", shared);
  write(store, "new", shared);
  expect(store.remove(["old"], now).artifacts).toBe(0);
  expect(store.get(store.put(shared))).toEqual(shared);
  expect(newStore().remove(["new"], now).artifacts).toBe(1);
});

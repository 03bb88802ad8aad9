import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface, type Interface } from "node:readline";
import { leaseMilliseconds, type RunStore } from "@troupe/schema";
import Sqlite from "better-sqlite3";
import { afterEach, beforeEach, expect, it } from "vitest";
import { callSettled, runStarted } from "../../../test/support/run-events.ts";
import { openStore } from "./open-store.ts";
import { currentProcess } from "./store-process.ts";

let folder = "";
let store: RunStore;
const children: ChildProcess[] = [];
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "troupe-leases-"));
  store = openStore(join(folder, "runs.db"));
});
afterEach(() => {
  for (const child of children.splice(0)) child.kill("SIGKILL");
  store.close();
  rmSync(folder, { recursive: true, force: true });
});

// What the other process does: take the run, say so, and write one event for each line it is given.
const worker = `
  const { openStore } = await import(process.argv[1]);
  const { createInterface } = await import("node:readline");
  const [path, started, event] = process.argv.slice(2);
  const store = openStore(path);
  const lease = store.acquire("one", Date.now());
  store.append("one", [JSON.parse(started)], 1, { lease });
  process.stdout.write("taken\\n");
  for await (const line of createInterface({ input: process.stdin })) {
    try {
      store.append("one", [JSON.parse(event)], 2, { lease });
      process.stdout.write("written\\n");
    } catch (error) {
      process.stdout.write(error.code + "\\n");
    }
  }
`;

interface Worker {
  readonly child: ChildProcess;
  said(): Promise<string>;
}

/** A process that works on the run "one". */
async function startWorker(): Promise<Worker> {
  const library = new URL("../dist/index.js", import.meta.url).href;
  const args = ["--input-type=module", "-e", worker, library, join(folder, "runs.db")];
  const events = [runStarted("one"), callSettled()].map((event) => JSON.stringify(event));
  const child = spawn(process.execPath, [...args, ...events], { stdio: ["pipe", "pipe", "inherit"] });
  children.push(child);
  const lines = linesOf(createInterface({ input: child.stdout }));
  const said = async () => String((await lines.next()).value);
  expect(await said()).toBe("taken");
  return { child, said };
}

async function* linesOf(reader: Interface): AsyncGenerator<string> {
  yield* reader;
}

const held = expect.objectContaining({ code: "run_held" });

it("acquire() is refused while another process works, with its id, and takes over at once when that is killed", async () => {
  const { child } = await startWorker();
  expect(() => store.acquire("one", Date.now())).toThrow(held);
  expect(() => store.acquire("one", Date.now())).toThrow(`Process ${child.pid} on ${currentProcess().host} has been working on run one`);
  child.kill("SIGKILL");
  await once(child, "exit");
  expect(store.holder("one", Date.now())).toBeUndefined();
  const lease = store.acquire("one", Date.now());
  expect(store.append("one", [callSettled()], 3, { next: 1, lease })).toHaveLength(1);
});

it("append() of a process that was suspended for longer than its lease throws run_lost and writes nothing", async () => {
  const { child, said } = await startWorker();
  child.kill("SIGSTOP");
  expect(() => store.acquire("one", Date.now())).toThrow(held);
  const lease = store.acquire("one", Date.now() + leaseMilliseconds);
  child.stdin?.write("go on\n");
  child.kill("SIGCONT");
  expect(await said()).toBe("run_lost");
  store.append("one", [callSettled()], 3, { next: 1, lease });
  store.release("one", lease);
  child.stdin?.write("again\n");
  expect(await said()).toBe("run_lost");
  expect(store.events("one")).toHaveLength(2);
});

it("append() of a process that was suspended goes on when nobody took its run", async () => {
  const { child, said } = await startWorker();
  child.kill("SIGSTOP");
  expect(store.holder("one", Date.now() + leaseMilliseconds)).toBeUndefined();
  child.stdin?.write("go on\n");
  child.kill("SIGCONT");
  expect(await said()).toBe("written");
});

it("acquire() can't know of a process elsewhere that it is gone, and waits for its lease to run out", () => {
  const elsewhere = { ...currentProcess(), host: "far-away", place: "far away", isAlive: () => false };
  const other = openStore(join(folder, "runs.db"), { self: elsewhere });
  const now = Date.now();
  other.acquire("one", now);
  other.close();
  expect(() => store.acquire("one", now + leaseMilliseconds - 1)).toThrow("far-away");
  store.acquire("one", now + leaseMilliseconds);
});

it("acquire() gets a run again that this process could not let go of, as on a full disk", () => {
  const path = join(folder, "runs.db");
  const quick = openStore(path, { busyTimeoutMs: 20 });
  const lease = quick.acquire("one", 1000);
  const other = new Sqlite(path);
  other.exec("BEGIN IMMEDIATE");
  expect(() => quick.release("one", lease)).toThrow(expect.objectContaining({ code: "store_locked" }));
  other.exec("COMMIT");
  other.close();
  quick.close();
  expect(store.holder("one", 1001)).toBeUndefined();
  expect(store.acquire("one", 1001)).not.toBe(lease);
});

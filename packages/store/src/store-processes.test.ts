import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { afterEach, beforeEach, expect, it } from "vitest";
import { callSettled, runStarted } from "../../../test/support/run-events.ts";
import { openStore } from "./open-store.ts";

let folder = "";
let path = "";
const children: ChildProcess[] = [];
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "troupe-processes-"));
  path = join(folder, "runs.db");
});
afterEach(() => {
  for (const child of children.splice(0)) child.kill("SIGKILL");
  rmSync(folder, { recursive: true, force: true });
});

// What each process does: append one event to a run of its own and one to the shared run, and say so once it is committed.
const writer = `
  const { openStore } = await import(process.argv[1]);
  const [path, me, count] = process.argv.slice(2);
  const started = JSON.parse(process.env.STARTED);
  const event = JSON.parse(process.env.EVENT);
  const store = openStore(path);
  store.append(me, [{ ...started, run: me }], 1);
  for (let n = 0; n < Number(count); n++) {
    const ref = store.put({ kind: "text", text: me + n });
    store.append(me, [{ ...event, answer: ref }], n);
    store.append("shared", [event], n);
    process.stdout.write(n + "\\n");
  }
  store.close();
`;

function spawnWriter(name: string, count: number): ChildProcess {
  const library = new URL("../dist/index.js", import.meta.url).href;
  const env = { ...process.env, STARTED: JSON.stringify(runStarted("x")), EVENT: JSON.stringify(callSettled()) };
  const args = ["--input-type=module", "-e", writer, library, path, name, String(count)];
  const child = spawn(process.execPath, args, { env, stdio: ["ignore", "pipe", "inherit"] });
  children.push(child);
  return child;
}

it("openStore() loses nothing when two processes write at once", async () => {
  const store = openStore(path);
  store.append("shared", [runStarted("shared")], 0);
  const writers = ["one", "two"].map((name) => spawnWriter(name, 300));
  for (const child of writers) child.stdout?.resume();
  const exits = await Promise.all(writers.map((child) => once(child, "exit")));
  expect(exits.map(([code]) => code)).toEqual([0, 0]);

  expect(store.events("shared").map(({ seq }) => seq)).toEqual(Array.from({ length: 601 }, (_, seq) => seq));
  for (const run of ["one", "two"]) {
    const settled = store.events(run).filter((event) => event.kind === "call.settled");
    expect(settled.map(({ answer }) => answer && store.get(answer))).toEqual(
      Array.from({ length: 300 }, (_, n) => ({ kind: "text", text: `${run}${n}` })),
    );
  }
  store.close();
});

it("openStore() finds everything that was committed before a process was killed", async () => {
  const store = openStore(path);
  store.append("shared", [runStarted("shared")], 0);
  const child = spawnWriter("one", 1_000_000);
  if (child.stdout === null) throw new Error("no output");
  let committed = -1;
  for await (const line of createInterface({ input: child.stdout })) {
    committed = Math.max(committed, Number(line));
    if (committed >= 100) child.kill("SIGKILL");
  }
  store.close();

  const again = openStore(path);
  expect(committed).toBeGreaterThanOrEqual(100);
  expect(again.events("shared").length).toBeGreaterThanOrEqual(committed + 2);
  const settled = again.events("one").filter((event) => event.kind === "call.settled");
  expect(settled.length).toBeGreaterThanOrEqual(committed + 1);
  for (const { answer } of settled) expect(answer && again.get(answer).kind).toBe("text");
  again.close();
});

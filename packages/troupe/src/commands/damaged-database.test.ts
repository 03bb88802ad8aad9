import { readFileSync, truncateSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { join } from "node:path";
import { openStore } from "@troupe/store";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { runStarted } from "../../../../test/support/run-events.ts";
import { exampleTopology, type FakeWorld, fakeWorld, fileAnswer } from "../../test/fake-world.ts";

const page = 4096;
let place: FakeWorld;
let world: FakeWorld;
let path = "";
let run = "";

beforeEach(async () => {
  // A world makes its folder, so the store comes after it.
  place = fakeWorld({ script: [] });
  path = join(place.folder, "runs.db");
  const store = openStore(path);
  for (let n = 0; n < 60; n++) store.append(`small-${n}`, [runStarted(`small-${n}`)], n);
  world = fakeWorld({ script: (request, call) => (isCritic(request) ? `REVISE: ${call}` : fileAnswer(`print(${call})`)), store });
  await world.call(["run", exampleTopology("review-chain"), "--task", "Print a number", "--limit-calls", "5"]);
  run = store.resolve("last");
  store.close();
});
afterEach(() => {
  place.remove();
  world.remove();
});

const isCritic = ({ messages }: { messages: readonly { content: string }[] }): boolean =>
  messages[0]?.content.includes("reviewer") ?? false;

/** Calls the command on the database itself, and sees whether that has changed it. */
async function call(...words: string[]) {
  const before = readFileSync(path);
  const ended = await world.call([...words, "--db", path], { ...world.context(), open: undefined as never });
  return { ...ended, unchanged: readFileSync(path).equals(before) };
}

function execute(sql: string): void {
  const Sqlite = createRequire(new URL("../../../store/package.json", import.meta.url))("better-sqlite3");
  const db = new Sqlite(path);
  db.exec(sql);
  db.close();
}

describe("on a database", () => {
  it("with a spoilt artifact, show shows all others and says which one it is", async () => {
    const shown = await call("show", run);
    expect(shown.exit).toBe(0);
    execute(
      "UPDATE artifacts SET body = x'00ff00ff', encoding = 'deflate' WHERE kind = 'files' AND rowid = (SELECT min(rowid) FROM artifacts WHERE kind = 'files')",
    );
    const spoilt = await call("show", run);
    expect(spoilt.stdout.split("\n").length).toBe(shown.stdout.split("\n").length);
    expect(spoilt.stdout).toContain("can't be read");
    expect(spoilt.stderr).toMatch(
      /^troupe: Artifact [0-9a-f]{12} can't be unpacked.*other artifacts can still be read.*\[store_damaged\]\n$/,
    );
    expect([spoilt.exit, spoilt.unchanged]).toEqual([1, true]);
    const transcript = await call("show", run, "--transcript");
    expect(transcript.stdout).toContain("print(2)");
    expect([transcript.exit, transcript.unchanged]).toEqual([1, true]);
    const json = await call("show", run, "--transcript", "--json");
    expect(JSON.parse(json.stdout.split("\n")[0] ?? "")).toMatchObject({ activation: 0, artifact: null });
  });

  it("that was cut off, runs lists what is left and says what to do", async () => {
    const { length } = readFileSync(path);
    truncateSync(path, length - 8 * page);
    const { exit, stdout, stderr, unchanged } = await call("runs");
    expect(stdout).toMatch(/^run +when/);
    expect(stderr).toMatch(/not a sound database\. Restore it from a copy.*\.recover.*\[store_damaged\]/);
    expect([exit, unchanged]).toEqual([1, true]);
  });

  it("that is no database any more, both say what to do", async () => {
    writeFileSync(path, Buffer.alloc(readFileSync(path).length, 0xff));
    for (const words of [["runs"], ["show"], ["resume", "last"]]) {
      const { exit, stdout, stderr, unchanged } = await call(...words);
      expect([exit, stdout, unchanged]).toEqual([1, "", true]);
      expect(stderr).toMatch(/Restore it from a copy.*\[store_damaged\]/);
    }
  });

  it("with a log that is damaged, show shows its beginning, and resume leaves everything as it is", async () => {
    execute("UPDATE events SET body = '{' WHERE run = 61 AND seq = 12");
    const shown = await call("show", run, "--log");
    expect(shown.stdout.trimEnd().split("\n")).toHaveLength(12);
    expect(shown.stderr).toMatch(/damaged at event 12\. Events 0 to 11 can still be read.*restore the database from a copy/);
    expect([shown.exit, shown.unchanged]).toEqual([1, true]);
    expect((await call("show", run)).stdout).toContain("review-chain");
    const resumed = await call("resume", run);
    expect(resumed.stderr).toContain("damaged at event 12");
    expect([resumed.exit, resumed.unchanged]).toEqual([1, true]);
    expect((await call("show", "small-1")).exit).toBe(0);
  });

  it("with a log of a newer version, show shows what it knows, and resume is refused with what to do", async () => {
    execute("UPDATE events SET body = json_set(body, '$.version', '7.0.0') WHERE run = 61 AND seq = 0");
    execute("UPDATE events SET kind = 'gossip' WHERE run = 61 AND seq = 12");
    const shown = await call("show", run, "--log");
    expect(shown.stdout.trimEnd().split("\n")).toHaveLength(12);
    expect(shown.stderr).toMatch(/written by Troupe 7\.0\.0.*Update Troupe.*\[store_newer\]/);
    expect([shown.exit, shown.unchanged]).toEqual([2, true]);
    const resumed = await call("resume", run);
    expect([resumed.exit, resumed.unchanged]).toEqual([2, true]);
  });
});

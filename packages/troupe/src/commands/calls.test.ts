import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, expect, it } from "vitest";
import { exampleTopology, type FakeWorld, fakeWorld } from "../../test/fake-world.ts";

const worlds: FakeWorld[] = [];
afterEach(() => {
  for (const world of worlds.splice(0)) world.remove();
});

function newWorld(): FakeWorld {
  const world = fakeWorld({ script: [] });
  worlds.push(world);
  return world;
}

const chain = exampleTopology("chain");

it.each([
  [["chekc", "x.yaml"], "No command registered for `chekc`, did you mean `check`?"],
  [["tasks", "starter"], "No command registered for `starter`."],
  [["check", "--jsn"], "No flag registered for --jsn, did you mean --json?"],
  [["run"], "Expected at least 1 argument(s) for topology but found none."],
])("the call %j is refused with what to do", async (words, message) => {
  const stderr = `troupe: ${message} With --help the command says how it is called. [call_invalid]\n`;
  expect(await newWorld().call(words)).toEqual({ exit: 2, stdout: "", stderr });
});

it("troupe run says that the file of --task-file is not there", async () => {
  const { exit, stderr } = await newWorld().call(["run", chain, "--task-file", "no.txt"]);
  expect([exit, stderr]).toEqual([2, "troupe: There is no file no.txt. Check the path after --task-file. [file_missing]\n"]);
});

it("troupe check names the working folder as it was given", async () => {
  const world = newWorld();
  const { exit, stdout } = await world.call(["check", "."]);
  expect([exit, stdout]).toEqual([2, expect.stringMatching(/^\S+:1:1: error: "\S+" is not a regular file/)]);
});

it("troupe init writes its files once, and leaves them afterwards", async () => {
  const world = newWorld();
  const files = ["agents/checker.yaml", "agents/coder.yaml", "topologies/pair.yaml", "troupe.yaml"];
  const lines = (word: string) => files.map((file) => `${word} new/${file}\n`).join("");
  expect(await world.call(["init", "new"])).toMatchObject({ exit: 0, stdout: lines("wrote  ") });
  expect(await world.call(["check", "new/topologies/pair.yaml", "new/troupe.yaml"])).toMatchObject({ exit: 0, stderr: "" });
  writeFileSync(join(world.folder, "new/troupe.yaml"), "# mine\n");
  expect(await world.call(["init", "new"])).toMatchObject({ exit: 0, stdout: lines("kept   ") });
  expect(readFileSync(join(world.folder, "new/troupe.yaml"), "utf8")).toBe("# mine\n");
});

it.each([
  [["--out", "a.svg"], "<svg"],
  [["--out", "a"], "<svg"],
  [["--out", "a.GV"], "digraph"],
  [["--out", "a.mmd"], "flowchart"],
  [["--out", "a.txt", "--format", "mermaid"], "flowchart"],
])("troupe draw %j draws what the ending or --format says", async (words, begin) => {
  const world = newWorld();
  const out = words[1] ?? "";
  expect(await world.call(["draw", chain, ...words])).toEqual({ exit: 0, stdout: `${out}\n`, stderr: "" });
  expect(readFileSync(join(world.folder, out), "utf8").startsWith(begin)).toBe(true);
});

it("troupe draw refuses an ending that it can't draw", async () => {
  const world = newWorld();
  const { exit, stderr } = await world.call(["draw", chain, "--out", "a.png"]);
  expect([exit, stderr]).toEqual([
    2,
    expect.stringMatching(/No picture ends in \.png: a\.png\. End it in one of \.svg, .*--format\. \[call_invalid\]/),
  ]);
  expect(existsSync(join(world.folder, "a.png"))).toBe(false);
});

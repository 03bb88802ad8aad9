import { mkdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { afterEach, describe, expect, it } from "vitest";
import { type FakeWorld, fakeWorld } from "../../../test/fake-world.ts";

const worlds: FakeWorld[] = [];
afterEach(() => {
  for (const world of worlds.splice(0)) world.remove();
});

function newWorld(files: Record<string, string>): FakeWorld {
  const world = fakeWorld({ script: [] });
  worlds.push(world);
  for (const [path, text] of Object.entries(files)) {
    const file = join(world.folder, path);
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, text);
  }
  return world;
}

const echo = "console.log(JSON.stringify(process.argv.slice(2))); process.exitCode = 3;";
/** The programs are the test's own, so they need no boundary. */
const tried = ["try", "made", "--sandbox", "none"];

describe("troupe try", () => {
  it("gives the program the words after --, dashes included, and ends with its exit code", async () => {
    const { exit, stdout } = await newWorld({ "made/main.js": echo }).call([...tried, "--", "list", "--all", "-x"]);
    expect([exit, stdout]).toEqual([3, '["list","--all","-x"]\n']);
  });

  it("runs TypeScript", async () => {
    const program = 'import { word } from "./lib/word";\nconst shown: string = word;\nconsole.log(shown);\n';
    const world = newWorld({ "made/main.ts": program, "made/lib/word.ts": 'export const word: string = "alive";\n' });
    expect(await world.call(tried)).toMatchObject({ exit: 0, stdout: "alive\n" });
  });

  it("leaves out hidden files and folders, and keeps bytes that are no text", async () => {
    const list = 'const fs = require("fs");\nconsole.log(fs.readdirSync(".").sort().join(), fs.readFileSync("data.bin").length);\n';
    const world = newWorld({ "made/main.js": list, "made/.git/config": "x", "made/.env": "KEY=1" });
    writeFileSync(join(world.folder, "made/data.bin"), Uint8Array.of(0, 255, 254));
    expect(await world.call(tried)).toMatchObject({ exit: 0, stdout: "data.bin,main.js 3\n" });
  });

  it.each([
    [["try", "nothing"], "nothing is not there. Name the folder of a product, as --out had it. [file_missing]"],
    [["try", "made/main.js"], "made/main.js is not a folder. Name the folder of a product, as --out had it. [file_missing]"],
    [["try", "other"], "other has no main.py, main.js or main.ts. Name the file to run with --entry. [call_invalid]"],
    [["try", "made", "--stdin", "no.txt"], "There is no file no.txt. Check the path after --stdin. [file_missing]"],
    [["try", "made", "--stdin", "other"], "other is a folder. Name a file after --stdin. [file_unreadable]"],
  ])("tells what is wrong with %j", async (words, message) => {
    const world = newWorld({ "made/main.js": echo, "other/x.py": "" });
    expect(await world.call(words)).toMatchObject({ exit: 2, stdout: "", stderr: `troupe: ${message}\n` });
  });
});

import { execFileSync } from "node:child_process";
import { mkdtempSync, readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { FileEntry, Sandbox, SandboxJob, SandboxResult } from "@troupe/schema";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { Backend } from "./backend.ts";
import { bubblewrap } from "./bubblewrap.ts";
import { currentHost } from "./host.ts";
import { none } from "./none.ts";
import { openSandbox } from "./open-sandbox.ts";
import { wasm } from "./wasm.ts";

// What every backend does alike. Attacks are in tests of their own.
const live = new AbortController().signal;
const noOsSandbox = process.platform !== "linux" || process.env["TROUPE_NO_OS_SANDBOX"] === "1";
const file = (path: string, content: string): FileEntry => ({ path, encoding: "utf8", content });

describe.each<[Backend, boolean]>([
  [bubblewrap, noOsSandbox],
  [wasm, false],
  [none, process.platform === "win32"],
])("$name", (backend, skipped) => {
  const tempFolder = mkdtempSync(join(tmpdir(), "troupe-test-contract-"));
  let sandbox: Sandbox;

  beforeAll(async () => {
    if (!skipped) sandbox = await openSandbox(backend, { ...currentHost(), tempFolder }, live);
  });
  afterAll(() => {
    const left = readdirSync(tempFolder);
    rmSync(tempFolder, { recursive: true });
    expect(left).toEqual([]);
  });

  const run = (job: SandboxJob, signal = live): Promise<SandboxResult> =>
    sandbox.run({ ...job, limits: { seconds: 30, ...job.limits } }, signal);
  const node = (code: string, ...more: FileEntry[]): SandboxJob => ({
    files: [file("main.js", code), ...more],
    command: { program: "node", args: ["main.js", "a b"] },
  });

  it.skipIf(skipped)(
    "runs Python with arguments, input, files, output and an exit code",
    async () => {
      const code = `
import sys, os, helper
print(sys.argv[1:], sys.stdin.read(), helper.word)
print("to stderr", file=sys.stderr)
os.makedirs("out/deep")
open("out/deep/text.txt", "w").write("grün")
open("out/bytes.bin", "wb").write(bytes([255, 0, 128]))
os.remove("gone.txt")
sys.exit(7)`;
      const files = [file("main.py", code), file("helper.py", "word = 'helped'"), file("gone.txt", "x")];
      const result = await run({ files, command: { program: "python", args: ["main.py", "a b"] }, stdin: "typed" });
      expect(result).toMatchObject({
        ended: "exited",
        exitCode: 7,
        stdout: "['a b'] typed helped\n",
        stderr: "to stderr\n",
        truncated: false,
        sandbox: backend.name,
      });
      expect(result.files).toEqual([
        file("helper.py", "word = 'helped'"),
        file("main.py", code),
        { path: "out/bytes.bin", encoding: "base64", content: "/wCA" },
        file("out/deep/text.txt", "grün"),
      ]);
    },
    60_000,
  );

  it.skipIf(skipped)(
    "tells an exception of Python with its traceback",
    async () => {
      const result = await run({
        files: [file("main.py", "def f():\n    raise ValueError('bad')\nf()")],
        command: { program: "python", args: ["main.py"] },
      });
      expect(result).toMatchObject({ ended: "exited", exitCode: 1 });
      expect(result.stderr).toMatch(/^Traceback \(most recent call last\):\n {2}File "[^"]*main\.py", line 3[\s\S]*ValueError: bad\n$/);
    },
    60_000,
  );

  it.skipIf(skipped)(
    "runs unittest as a module",
    async () => {
      const test =
        "import unittest, main\nclass T(unittest.TestCase):\n    def test_add(self):\n        self.assertEqual(main.add(1, 2), 3)\n";
      const files = [file("main.py", "def add(a, b):\n    return a + b\n"), file("test_main.py", test)];
      const result = await run({ files, command: { program: "python", args: ["-m", "unittest", "-q"] } });
      expect(result).toMatchObject({ ended: "exited", exitCode: 0 });
      expect(result.stderr).toContain("Ran 1 test");
    },
    60_000,
  );

  it.skipIf(skipped)("runs JavaScript that requires, reads, writes, waits and exits", async () => {
    const code = `
const fs = require("node:fs"), assert = require("assert"), path = require("path");
const { word } = require("./lib/helper");
console.log(process.argv.slice(2), word, fs.readFileSync("data.txt", "utf8"));
fs.mkdirSync("out", { recursive: true });
fs.writeFileSync(path.join("out", "made.txt"), "made");
assert.deepStrictEqual({ a: [1] }, { a: [1] });
setTimeout(() => { console.error("late"); process.exit(5); }, 10);`;
    const result = await run(node(code, file("lib/helper.js", "exports.word = 'helped';"), file("data.txt", "data")));
    expect(result).toMatchObject({ ended: "exited", exitCode: 5, stdout: "[ 'a b' ] helped data\n", stderr: "late\n" });
    expect(result.files.map((each) => each.path)).toEqual(["data.txt", "lib/helper.js", "main.js", "out/made.txt"]);
  });

  it.skipIf(skipped)("runs TypeScript of several files, and leaves no trace of how", async () => {
    const main = 'import { Shape, area } from "./shape";\nconst square: Shape = { side: 3 };\nconsole.log(area(square));\n';
    const files = [
      file("main.ts", main),
      file("shape.ts", "export interface Shape { side: number }\nexport const area = (s: Shape): number => s.side ** 2;\n"),
    ];
    const result = await run({ files, command: { program: "node", args: ["main.ts"] } });
    expect(result).toMatchObject({ ended: "exited", exitCode: 0, stdout: "9\n", stderr: "", files });
  });

  it.skipIf(skipped)("tells a failed assertion and a rejected promise", async () => {
    expect(await run(node("require('assert').strictEqual(1, 2)"))).toMatchObject({
      ended: "exited",
      exitCode: 1,
      stderr: expect.stringContaining("AssertionError"),
    });
    const rejected = await run(node("async function main() { throw new TypeError('bad') }\nmain();"));
    expect(rejected).toMatchObject({ ended: "exited", exitCode: 1, stderr: expect.stringContaining("TypeError: bad") });
  });

  it.skipIf(skipped)("tells a program that is missing", async () => {
    const result = await run({ files: [], command: { program: "node", args: ["nowhere.js"] } });
    expect(result).toMatchObject({ ended: "exited", files: [] });
    expect(result.exitCode).not.toBe(0);
    expect(result.stderr).toContain("Cannot find module");
  });

  it.skipIf(skipped)("ends in time, and when it is told to", async () => {
    const loop = node("for (;;);");
    expect(await run({ ...loop, limits: { seconds: 0.3 } })).toMatchObject({ ended: "timeout", exitCode: null, files: loop.files });
    const controller = new AbortController();
    setTimeout(() => controller.abort(), 200);
    expect(await run(loop, controller.signal)).toMatchObject({ ended: "cancelled", exitCode: null });
  });

  it.skipIf(skipped)("runs several programs at once, each on its own files", async () => {
    const jobs = ["one", "two", "three"].map((word) =>
      run(node(`require("fs").writeFileSync("mine", "${word}"); console.log(require("fs").readdirSync("."))`)),
    );
    const results = await Promise.all(jobs);
    expect(results.map((result) => result.files.find((each) => each.path === "mine")?.content)).toEqual(["one", "two", "three"]);
    expect(new Set(results.map((result) => result.stdout))).toEqual(new Set(["[ 'main.js', 'mine' ]\n"]));
  });

  it.skipIf(skipped)("leaves no process behind", () => {
    const processes = execFileSync("ps", ["-eo", "ppid,args"]).toString().split("\n");
    expect(processes.filter((line) => line.trim().startsWith(`${process.pid} `) && /bwrap|main\.js|main\.py/.test(line))).toEqual([]);
  });
});

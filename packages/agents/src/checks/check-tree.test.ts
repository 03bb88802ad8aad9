import type { SandboxResult } from "@troupe/schema";
import { describe, expect, it } from "vitest";
import { fakeSandbox, type Script, scriptedContext, toFiles } from "../../test/scripted-context.ts";
import { readMaterial } from "../material.ts";
import { Talk } from "../talk.ts";
import { checkTree, isHealthy } from "./check-tree.ts";

const result = (over: Partial<SandboxResult>): SandboxResult => ({
  ended: "exited",
  exitCode: 0,
  stdout: "",
  stderr: "",
  truncated: false,
  seconds: 0,
  files: [],
  sandbox: "fake",
  ...over,
});

describe("isHealthy()", () => {
  it.each<[string, boolean, Partial<SandboxResult>]>([
    ["exit code 0", true, {}],
    [
      "a usage message and exit code 2",
      true,
      { exitCode: 2, stderr: "usage: main.py [-h] file\nmain.py: error: the following arguments are required: file" },
    ],
    ["a usage message and exit code 1", true, { exitCode: 1, stdout: "Usage: python main.py FILE" }],
    ["an error message of its own", true, { exitCode: 1, stderr: "Error: no file given" }],
    [
      "input that is not there",
      true,
      { exitCode: 1, stderr: 'Traceback (most recent call last):\n  File "main.py", line 1\nEOFError: EOF when reading a line' },
    ],
    ["a traceback", false, { exitCode: 1, stderr: 'Traceback (most recent call last):\n  File "main.py", line 1\nImportError: no' }],
    ["a syntax error", false, { exitCode: 1, stderr: '  File "main.py", line 1\n    def\nSyntaxError: invalid syntax' }],
    [
      "an uncaught error in Node",
      false,
      { exitCode: 1, stderr: "ReferenceError: x is not defined\n    at Object.<anonymous> (/w/main.js:1:1)" },
    ],
    ["no end", false, { ended: "timeout", exitCode: null }],
    ["too much memory", false, { ended: "memory", exitCode: null }],
    ["a kill", false, { ended: "killed", exitCode: null }],
  ])("%s: %s", (_name, healthy, over) => expect(isHealthy(result(over))).toBe(healthy));

  it("wants exit code 0 from an import", () => expect(isHealthy(result({ exitCode: 1 }), true)).toBe(false));
});

describe("checkTree()", () => {
  async function check(
    script: Omit<Script, "answers">,
    tree: Record<string, string>,
    run: (title: string) => Partial<SandboxResult> = () => ({}),
  ) {
    const context = scriptedContext({ answers: [], ...script });
    const { card } = context;
    if (card === undefined) throw new Error("no card");
    const sandbox = fakeSandbox((job) => run(job.command.args.join(" ")));
    const work = { context, card, material: readMaterial(context), talk: await Talk.open(context, card, "files"), sandbox };
    return { check: await checkTree(work, toFiles(tree)), sandbox, context };
  }
  const both = { tools: ["run_program", "run_tests"] as ("run_program" | "run_tests")[] };

  it("runs the program, then the tests", async () => {
    const { check: done, sandbox } = await check({ card: both }, { "main.py": "", "test_main.py": "" });
    expect(done).toMatchObject({ ok: true, score: 2 });
    expect(sandbox.jobs.map((job) => job.command.args)).toEqual([["main.py"], ["_troupe_check.py", "tests", "test_main.py"]]);
  });

  it("runs no tests of a program that does not start", async () => {
    const { check: done, sandbox } = await check({ card: both }, { "main.py": "", "test_main.py": "" }, () => ({
      exitCode: 1,
      stderr: "NameError: x",
    }));
    expect(done).toMatchObject({ ok: false, score: 0, text: expect.stringContaining("NameError: x") as string });
    expect(sandbox.jobs).toHaveLength(1);
  });

  it("only imports a module", async () => {
    const { sandbox } = await check({ card: both, task: { entry: "solution.py" } }, { "solution.py": "" });
    expect(sandbox.jobs[0]?.command.args).toEqual(["_troupe_check.py", "import", "solution.py"]);
  });

  it("scores by the share of passing tests", async () => {
    const fails = { exitCode: 1, stdout: "FAILED: x\nRan 4 tests: 3 passed, 1 failed" };
    const { check: done } = await check({ card: both }, { "main.py": "", "test_main.py": "" }, (args) =>
      args.includes("tests") ? fails : {},
    );
    expect(done).toMatchObject({ ok: false, score: 1.75 });
  });

  it("prefers the task's tests to those of the tree", async () => {
    const task = { tests: toFiles({ "test_given.py": "" }) };
    const { sandbox } = await check({ card: { tools: ["run_tests"] }, task }, { "main.py": "", "test_main.py": "" });
    expect(sandbox.jobs[0]?.command.args.slice(2)).toEqual(["test_given.py"]);
  });

  it("runs each test file of JavaScript by itself", async () => {
    const task = { language: "javascript" as const };
    const tree = { "a.test.js": "", "b.test.js": "", "main.js": "" };
    const { check: done, sandbox } = await check({ card: { tools: ["run_tests"] }, task }, tree, (args) =>
      args.startsWith("b") ? { exitCode: 1, stdout: "# pass 1\n# fail 1" } : {},
    );
    expect(sandbox.jobs.map((job) => job.command)).toEqual(["a.test.js", "b.test.js"].map((path) => ({ program: "node", args: [path] })));
    expect(done).toMatchObject({ ok: false, score: 1.75 });
    expect(done?.text).not.toContain("a.test.js");
  });

  it("has nothing to say when there is nothing to run", async () => {
    expect((await check({ card: both }, { "notes.txt": "" })).check).toBeUndefined();
    expect((await check({}, { "main.py": "" })).check).toBeUndefined();
  });

  it("shortens long output for the model and the log", async () => {
    const { check: done, context } = await check({ card: both }, { "main.py": "" }, () => ({
      exitCode: 1,
      stderr: `${"x".repeat(50_000)}\nNameError: last`,
    }));
    expect(done?.text.length).toBeLessThan(2000);
    expect(done?.text).toContain("NameError: last");
    expect(context.reports[0]?.output.length).toBeLessThanOrEqual(1000);
  });
});

import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { taskRow } from "@troupe/runtime";
import { runEvent, TroupeError } from "@troupe/schema";
import { afterEach, describe, expect, it } from "vitest";
import { exampleTopology, type FakeWorld, type FakeWorldOptions, fakeWorld, fileAnswer } from "../../test/fake-world.ts";

import { SampleLog, sampleRun } from "../../test/sample-run.ts";
import { interruption } from "../interruption.ts";

const worlds: FakeWorld[] = [];
afterEach(() => {
  for (const world of worlds.splice(0)) world.remove();
});

function newWorld(options: Partial<FakeWorldOptions> = {}): FakeWorld {
  const world = fakeWorld({ script: () => fileAnswer("print(42)"), ...options });
  worlds.push(world);
  return world;
}

const single = exampleTopology("single");
const reviewed = (asked: { messages: readonly { content: string }[] }): string =>
  asked.messages[0]?.content.includes("reviewer") ? "REVISE: It prints the wrong number." : fileAnswer("print(43)");

describe("troupe run", () => {
  it("writes the product, tries it out, and says what came of the run", async () => {
    const world = newWorld();
    const { exit, stdout, stderr } = await world.call(["run", single, "--task", "Print 42", "--out", "made"]);
    expect([exit, stdout]).toEqual([0, "made\n"]);
    expect(readFileSync(join(world.folder, "made/main.py"), "utf8")).toContain("print(42)");
    expect(stderr).toMatch(/Product +made {2}1 file, 10 bytes\n/);
    expect(stderr).toMatch(/Runs +✓ python main.py {2}\(exit code 0\)/);
    expect(stderr).toMatch(/Try it +python made\/main.py/);
    expect(stderr).toMatch(/Sandbox +fake\n/);
    expect(stderr).toMatch(/programmer +1 +\d+ +\d+/);
    expect(stderr).toMatch(/The run is completed. Look into it: troupe show \S+ --transcript\n$/);
  });

  it("lets a choice be made by --choices, and shows it", async () => {
    const world = newWorld({ script: () => "Bats have milk.\nAnswer: B" });
    const words = ["run", "--task", "Which is a mammal?", "--choices", "a trout", "--choices", "a bat", "--out", "made", single];
    const { exit, stdout, stderr } = await world.call(words);
    expect([exit, stdout]).toEqual([0, "made\n"]);
    expect(stderr).toMatch(/Product +made {2}2 files, .*\n +answer\.txt.*\n +reason\.md.*\nAnswer +a bat\n/);
    expect(readFileSync(join(world.folder, "made/answer.txt"), "utf8")).toBe("a bat\n");
    expect(stderr).not.toMatch(/Runs|Try it/);
  });

  it.each([
    ["text", "Blue light\nscatters more.", /Answer +Blue light\n {9}scatters more\.\n/, "answer.md"],
    ["json", '```json\n{"a": 1}\n```', /Answer +\{\n {11}"a": 1\n {9}\}\n/, "answer.json"],
  ])("makes %s by --output, and shows it when it is short", async (output, answer, shown, path) => {
    const world = newWorld({ script: () => answer });
    const { exit, stderr } = await world.call(["run", single, "--task", "Why is the sky blue?", "--output", output]);
    expect(exit).toBe(0);
    expect(stderr).toMatch(shown);
    expect(existsSync(join(world.folder, "out/single", path))).toBe(true);
    const long = newWorld({ script: () => "many words\n".repeat(30) });
    expect((await long.call(["run", single, "--task", "x", "--output", "text"])).stderr).not.toContain("Answer ");
  });

  it("says what a program that does not start printed, and still ends with 0", async () => {
    const crash = { exitCode: 1, stderr: "Traceback (most recent call last):\nNameError: name 'x' is not \x1b[31mdefined" };
    const { exit, stderr } = await newWorld({ sandbox: () => crash }).call(["run", single, "--task", "Print 42"]);
    expect(exit).toBe(0);
    expect(stderr).toMatch(/Runs +✗ python main.py\n/);
    expect(stderr).toContain("NameError: name 'x' is not defined");
  });

  it("prints events as JSON, and the product as the last line", async () => {
    const { stdout } = await newWorld().call(["run", single, "--task", "Print 42", "--json"]);
    const lines = stdout
      .trimEnd()
      .split("\n")
      .map((line) => JSON.parse(line));
    const last = lines.pop();
    for (const line of lines) expect(runEvent.safeParse(line).error).toBeUndefined();
    expect(lines.at(-1)).toMatchObject({ kind: "run.ended" });
    expect(last).toMatchObject({
      kind: "product",
      outcome: "completed",
      folder: "out/single",
      files: [{ path: "main.py", bytes: 10 }],
      check: { program: { ok: true }, tests: null },
      sandbox: { name: "fake", strength: "os" },
    });
  });

  it.each([
    ["wasm", "the weaker sandbox"],
    ["none", "without any protection"],
  ] as const)("says twice that the sandbox is %s", async (strength, words) => {
    const { stderr } = await newWorld({ strength }).call(["run", single, "--task", "Print 42"]);
    expect(stderr.split(words)).toHaveLength(3);
  });

  it("ends with 3 at a limit, and says how to go on", async () => {
    const { exit, stderr } = await newWorld().call(["run", exampleTopology("review-chain"), "--task", "x", "--limit-calls", "2"]);
    expect(exit).toBe(3);
    expect(stderr).toMatch(/The limit of 2 calls ended the run; it used 2 calls. Go on with more: troupe resume \S+ --limit-calls 4\n/);
    expect(stderr).toContain("the best so far, not finished");
  });

  it("ends with 1 when the agents can't, and says why", async () => {
    const { exit, stderr } = await newWorld({ script: () => "I would rather not." }).call(["run", single, "--task", "Print 42"]);
    expect(exit).toBe(1);
    expect(stderr).toMatch(/The run failed: .*\[answer_unusable\]/);
    expect(stderr).toMatch(/Product +none/);
  });

  it("ends with 130 when it is interrupted, and repeats the flags that find the run again", async () => {
    const reason = interruption("Ctrl-C");
    const world = newWorld({ script: () => context.controller.abort(reason) ?? new Promise<never>(() => undefined) });
    const context = world.context();
    const { exit, stderr } = await world.call(["run", single, "--task", "x", "--db", "my runs.db"], context);
    expect(exit).toBe(130);
    expect(stderr).toMatch(/The run was interrupted by Ctrl-C. Go on with it: troupe resume \S+ --db 'my runs.db'\n$/);
  });

  it.each([
    [["run", single], "exactly one of --task"],
    [["run", single, "--task", " "], "The task is empty"],
    [["run", single, "--task", "x", "--choices", "a"], "needs at least two options; there is one"],
    [["run", single, "--task", "x", "--output", "choice"], "needs at least two options; there are none"],
    [["run", single, "--task", "x", "--choices", "a", "--choices", " a"], 'The option "a" is there twice'],
    [["run", single, "--task", "x", "--choices", "a", "--choices", " "], "An option of --choices is empty"],
    [["run", single, "--task", "x", "--output", "text", "--choices", "a", "--choices", "b"], "but --output is text"],
    [["run", single, "--task", "x", "--output", "picture"], "picture"],
    [["run", single, "--tasks", "starter", "--output", "text"], "the tasks of a set say it themselves"],
    [["run", single, "--task", "x", "--limit", "2"], "--limit choose from a task set"],
    [["run", single, "--tasks", "starter", "--limit", "0"], "whole number from 1 upwards"],
    [["run", single, "--tasks", "starter", "--seeds", "x"], "whole number from 1 upwards"],
    [["run", single, "--tasks", "starter", "--jobs=-1"], "whole number from 1 upwards"],
    [["run", single, "--task", "x", "--limit-tokens", "abc"], "whole number from 1 upwards"],
    [["run", single, "--task", "x", "--limit-seconds", "0"], "a number above 0"],
    [["run", single, "--task", "x", "--parallel", "99999"], "from 1 to 10000"],
    [["run", single, "--task", "x", "--frm", "y"], "--frm"],
    [["run", "nowhere.yaml", "--task", "x"], "nowhere.yaml"],
    [["run", single, "--task-file", "nowhere.txt"], "nowhere.txt"],
    [["run", single, "--task", "x", "--from", "nobody"], "nobody"],
  ])("ends with 2 for %j", async (words, message) => {
    const { exit, stderr, stdout } = await newWorld().call(words);
    expect([exit, stdout]).toEqual([2, ""]);
    expect(stderr).toContain(message);
    expect(stderr).not.toMatch(/^ +at /m);
  });

  it("refuses a folder with other files before it asks a model", async () => {
    const world = newWorld({ script: [] });
    writeFileSync(join(world.folder, "mine.txt"), "");
    const { exit, stderr } = await world.call(["run", single, "--task", "x", "--out", "."]);
    expect(exit).toBe(2);
    expect(stderr).toContain("did not write");
  });
});

describe("troupe run on a terminal", () => {
  it("shows a live tree whose last frame stays, and gives the cursor back", async () => {
    const world = newWorld({ delayMs: 250 });
    const { exit, stderr, stdout } = await world.call(["run", single, "--task", "x"], world.context({ terminal: true }));
    expect([exit, stdout]).toEqual([0, "out/single\n"]);
    expect(stderr.startsWith("\x1b[?25l")).toBe(true);
    expect(stderr.split("\x1b[?25l")).toHaveLength(2);
    const [frames = "", report = ""] = stderr.split("\x1b[?25h");
    expect(frames).toContain("0 of 1 done, 1 running");
    expect(frames.slice(frames.lastIndexOf("single"))).toMatch(/completed[\s\S]*1 of 1 done[\s\S]*✓.*programmer[\s\S]*main\.py/);
    expect(report).toContain("\x1b[1mProduct");
  });

  it.each([{ TERM: "dumb" }, { CI: "true" }])("prints plain lines with %j", async (env) => {
    const world = newWorld();
    const { stderr } = await world.call(["run", single, "--task", "x"], world.context({ terminal: true, env: { ...env, NO_COLOR: "1" } }));
    expect(stderr).not.toContain("\x1b");
    expect(stderr).toContain("▸ #0 programmer\n");
  });
});

describe("troupe run --tasks", () => {
  const task = (id: string, answer: string) =>
    JSON.stringify({ id, prompt: `What is ${id}?`, output: "text", grader: { kind: "answer", answer } });

  function newSet(options: Partial<FakeWorldOptions> = {}) {
    const world = newWorld({ script: () => "The answer is 4.", ...options });
    writeFileSync(join(world.folder, "set.jsonl"), [task("two", "4"), task("three", "9")].join("\n"));
    return { world, words: ["run", single, "--tasks", join(world.folder, "set.jsonl"), "--results", "rows.jsonl"] };
  }

  it("prints a row for each task and a table, and keeps what is done", async () => {
    const { world, words } = newSet();
    const { exit, stdout, stderr } = await world.call(words);
    expect(exit).toBe(0);
    expect(stderr).toMatch(/\[1\/2\] . \S+ two seed 0: .* · about \S+ s left\n\[2\/2\] ✗ \S+ three seed 0: The answer is wrong/);
    expect(stdout).toContain("single.yaml");
    const again = await world.call([...words, "--seeds", "1"]);
    expect([again.stderr, again.stdout]).toEqual(["", stdout]);
    expect(world.store.list(10)).toHaveLength(2);
  });

  it("prints rows as JSON", async () => {
    const { world, words } = newSet();
    const { stdout } = await world.call([...words, "--json", "--seeds", "2"]);
    const rows = stdout
      .trimEnd()
      .split("\n")
      .map((line) => taskRow.parse(JSON.parse(line)));
    expect(rows.map(({ task: id, seed }) => `${id} ${seed}`)).toEqual(["two 0", "two 1", "three 0", "three 1"]);
  });

  it("tells of a task of words how much of them a product uses", async () => {
    const { world } = newSet({ script: () => "The dogs ran." });
    writeFileSync(join(world.folder, "words.jsonl"), JSON.stringify({ concepts: ["dog", "run", "ball", "park"] }));
    const { stdout } = await world.call(["run", single, "--tasks", join(world.folder, "words.jsonl"), "--json"]);
    // A single task is run as such, so its grade stands in the product's line.
    expect(JSON.parse(stdout.trimEnd().split("\n").at(-1) ?? "")).toMatchObject({ kind: "product", grade: { passed: false, share: 0.5 } });
    const rows = await world.call(["run", single, "--tasks", join(world.folder, "words.jsonl"), "--seeds", "2", "--json"]);
    const [row = ""] = rows.stdout.split("\n");
    expect(taskRow.parse(JSON.parse(row))).toMatchObject({ share: 0.5, reason: "2 of 4 words occur; missing: ball, park." });
  });

  it("is ended by a failure of the world, which is no row", async () => {
    const { world, words } = newSet({ script: () => new TroupeError("model_unauthorized", "The key is wrong.") });
    const { exit, stderr } = await world.call(words);
    expect(exit).toBe(1);
    expect(stderr).toContain("troupe: ");
    expect(stderr).toContain("[model_unauthorized]");
    expect(existsSync(join(world.folder, "rows.jsonl"))).toBe(false);
  });

  it("says that the same call goes on when it is interrupted", async () => {
    const { world, words } = newSet({
      script: (_asked, number) =>
        number === 0 ? "4" : (context.controller.abort(interruption("Ctrl-C")) ?? new Promise<never>(() => undefined)),
    });
    const context = world.context();
    const { exit, stderr } = await world.call(words, context);
    expect(exit).toBe(130);
    expect(stderr).toContain("What is done is in rows.jsonl; the same call goes on from there.");
    expect(stderr).toContain("troupe: interrupted by Ctrl-C");
  });
});

describe("troupe resume", () => {
  it("goes on where a limit ended the run, with the tree of both sessions", async () => {
    const world = newWorld({ script: reviewed });
    const chain = exampleTopology("review-chain");
    expect((await world.call(["run", chain, "--task", "Print 43", "--limit-calls", "2"])).exit).toBe(3);
    const { exit, stdout, stderr } = await world.call(["resume", "last", "--limit-calls", "50"]);
    expect([exit, stdout]).toEqual([0, "out/review-chain\n"]);
    expect(stderr).toContain("2 activations done before");
    expect(existsSync(join(world.folder, "out/review-chain/main.py"))).toBe(true);
    expect((await world.call(["resume", "last"])).stderr).toContain("[run_not_resumable]");
  });

  it("ends with 2 for an unknown run", async () => {
    const { exit, stderr } = await newWorld().call(["resume", "nobody"]);
    expect(exit).toBe(2);
    expect(stderr).toContain("troupe runs");
  });
});

describe("troupe runs", () => {
  it("lists runs as a table or as JSON", async () => {
    const world = newWorld({ usdPerToken: 0.001 });
    await world.call(["run", single, "--task", `Print 42\nand \x1b[31m${"more ".repeat(40)}`]);
    const table = await world.call(["runs"]);
    expect(table.stdout).toMatch(
      /^run +when +topology +task +outcome +tokens +cost\n\S+ +\S+ \S+ +single +Print 42 and more .*… +✓ completed +\d+ +\$/,
    );
    const json = await world.call(["runs", "--json", "--limit", "1"]);
    expect(JSON.parse(json.stdout)).toMatchObject({ topology: "single", outcome: "completed" });
  });

  it("says how to start the first one", async () => {
    const { exit, stdout, stderr } = await newWorld().call(["runs"]);
    expect([exit, stdout]).toEqual([0, ""]);
    expect(stderr).toContain("troupe run");
  });
});

describe("troupe show", () => {
  async function shown(words: readonly string[]) {
    const world = newWorld({ script: reviewed });
    await world.call(["run", exampleTopology("review-chain"), "--task", "Print 43"]);
    return { world, ...(await world.call(["show", ...words])) };
  }

  it("shows the tree, the agents and the outcome of the last run", async () => {
    const { exit, stdout } = await shown([]);
    expect(exit).toBe(0);
    expect(stdout).toMatch(/^review-chain {2}\S+ {2}✓ completed\nPrint 43\n/);
    expect(stdout).toMatch(/ {2}✓ critique → 2 +reviewer +\d+ .*revise: It prints the wrong number./);
    expect(stdout).toMatch(/\nprogrammer +\d+/);
    expect(stdout).toContain("The run is completed.");
  });

  it("prints every activation with what it was given and answered", async () => {
    const { stdout } = await shown(["last", "--transcript"]);
    expect(stdout).toMatch(/✓ #1 1→2 critique · reviewer · done .*\ngiven: task, artifact from #0\n/);
    expect(stdout).toContain("answer:\n│ REVISE: It prints the wrong number.");
    expect(stdout).toContain("given: task, artifact from #0, critique from #1");
  });

  it("prints one activation with its artifact", async () => {
    const { stdout } = await shown(["last", "--activation", "0"]);
    expect(stdout).toContain("── main.py\nprint(43)");
    expect(stdout).not.toContain("#1 1→2");
  });

  it("prints the log as lines and as events", async () => {
    const { stdout, world } = await shown(["last", "--log"]);
    expect(stdout).toMatch(/^ {4}0 +0\.000 {2}run\.started +review-chain, seed \d+/);
    expect(stdout).toMatch(/call\.settled +#0 call 0 of default, \d+ tokens in/);
    const json = await world.call(["show", "--log", "--json"]);
    for (const line of json.stdout.trimEnd().split("\n")) expect(runEvent.safeParse(JSON.parse(line)).success).toBe(true);
  });

  it("prints the product, or writes it", async () => {
    const { stdout, world } = await shown(["last", "--product"]);
    expect(stdout).toBe("── main.py\nprint(43)\n");
    expect((await world.call(["show", "last", "--product", "again"])).stdout).toBe("again\n");
    expect(readFileSync(join(world.folder, "again/main.py"), "utf8")).toContain("print(43)");
  });

  it("prints the overview and the transcripts as JSON", async () => {
    const { stdout, world } = await shown(["--json"]);
    expect(JSON.parse(stdout)).toMatchObject({
      topology: "review-chain",
      outcome: { kind: "completed" },
      activations: [{ id: 0, state: "done" }, {}, {}, {}, {}, {}, {}],
    });
    const lines = (await world.call(["show", "--transcript", "--json"])).stdout.trimEnd().split("\n");
    expect(JSON.parse(lines[1] ?? "")).toMatchObject({ agent: "reviewer", given: [{ name: "task" }, { name: "artifact", from: 0 }] });
  });

  it("shows what changed between two artifacts", async () => {
    let number = 0;
    const world = newWorld({
      script: (asked) => (reviewed(asked).startsWith("REVISE") ? "REVISE: more" : fileAnswer(`print(${number++})`)),
    });
    await world.call(["run", exampleTopology("review-chain"), "--task", "Print"]);
    const { stdout } = await world.call(["show", "--diff", "0,2"]);
    expect(stdout).toContain("--- a/main.py\n+++ b/main.py\n@@ -1,1 +1,1 @@\n-print(0)\n+print(1)");
    expect((await world.call(["show", "--diff", "0,0"])).stderr).toContain("are the same");
  });

  it("says of a run without an end how to go on with it", async () => {
    const log = new SampleLog().firstNode();
    log.begin(log.start("programmer", { node: "2", from: "1", to: "2", step: "develop" }, "1→2 develop"));
    const world = newWorld({ store: log.store });
    const { stdout } = await world.call(["show", "last"]);
    expect(stdout).toMatch(/3 of 4 done, 1 not ended[\s\S]*◌ 2 develop ← 1/);
    expect(stdout).toContain(`It was interrupted, and nobody works on it. Go on with it: troupe resume ${sampleRun}\n`);
    expect((await world.call(["show", "--product"])).stdout).toContain("── main.py\nprint(2)");
  });

  it.each([
    [["show", "last", "--activation", "99"], "from 0 upwards"],
    [["show", "last", "--diff", "0"], "two numbers"],
    [["show", "last", "--diff", "0,99"], "no activation 99"],
    [["show", "last", "--log", "--transcript"], "one thing at a time"],
    [["show", "nobody"], "nobody"],
  ])("ends with 2 for %j", async (words, message) => {
    const world = newWorld();
    await world.call(["run", single, "--task", "x"]);
    const { exit, stderr } = await world.call(words);
    expect(exit).toBe(2);
    expect(stderr).toContain(message);
  });
});

import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { TroupeError } from "@troupe/schema";
import { taskRow } from "@troupe/runtime";
import { afterEach, describe, expect, it } from "vitest";
import { exampleTopology, type FakeWorld, type FakeWorldOptions, fakeWorld } from "../../../test/fake-world.ts";
import { interruption } from "../../interruption.ts";

const worlds: FakeWorld[] = [];
afterEach(() => {
  for (const world of worlds.splice(0)) world.remove();
});

const task = (id: string, answer: string): string =>
  JSON.stringify({ id, prompt: `What is ${id}?`, output: "text", grader: { kind: "answer", answer } });

const experiment = `experiment: 1
name: sums
description: Does the second one count better?
tasks: { set: set.jsonl }
systems:
  - topology: single.yaml
  - { name: cool, topology: single.yaml, overrides: { defaults: { temperature: 0 } } }
seeds: { from: 5, count: 2 }
statistics: { resamples: 300 }
`;

/** A project with an experiment of two systems, two tasks and two seeds. */
function newExperiment(more = "", options: Partial<FakeWorldOptions> = {}): FakeWorld {
  const world = fakeWorld({ script: () => "The answer is 4.", ...options });
  worlds.push(world);
  writeFileSync(join(world.folder, "troupe.yaml"), "models: {}\n");
  mkdirSync(join(world.folder, "agents"));
  writeFileSync(
    join(world.folder, "agents/programmer.yaml"),
    "agent: 1\nname: programmer\nkind: actor\ninstructions: Count.\noutput: text\n",
  );
  writeFileSync(join(world.folder, "single.yaml"), readFileSync(exampleTopology("single")));
  writeFileSync(join(world.folder, "set.jsonl"), [task("two", "4"), task("three", "9")].join("\n"));
  writeFileSync(join(world.folder, "sums.yaml"), experiment + more);
  return world;
}

const read = (world: FakeWorld, name: string): string => readFileSync(join(world.folder, name), "utf8");
const rowsOf = (world: FakeWorld) =>
  read(world, "sums/results.jsonl")
    .trimEnd()
    .split("\n")
    .map((line) => taskRow.parse(JSON.parse(line)));

describe("troupe experiment run", () => {
  it("keeps a row for each run, tells how long the rest will take, and writes table and plot", async () => {
    const world = newExperiment();
    const { exit, stdout, stderr } = await world.call(["experiment", "run", "sums.yaml"]);
    expect([exit, stderr]).toEqual([
      0,
      expect.stringMatching(/\[1\/8\] ✓ single\.yaml two seed 5: .* · about \S+ s left\n\[2\/8\] ✓ cool two seed 5/),
    ]);
    expect(stderr).toMatch(/sums\/table\.md\nsums\/plot\.svg\n$/);
    expect(stdout).toContain("| single.yaml | 2 / 4 | 50.0 % |");
    expect(stdout).toMatch(/\| single\.yaml \| cool \| 2 \| 0 \| 0 \| 2 \| 1\.0000 \| 1\.0000 \| no difference shown \|/);
    expect(rowsOf(world).map(({ topology, setup }) => [topology, setup === undefined])).toEqual(
      Array.from({ length: 4 }, () => [
        ["single.yaml", true],
        ["cool", false],
      ]).flat(),
    );
    expect(read(world, "sums/table.md")).toContain("Does the second one count better?");
    expect(read(world, "sums/table.md")).toContain(stdout.trimEnd());
    expect(read(world, "sums/plot.svg")).toMatch(/^<svg[\s\S]*cool[\s\S]*<\/svg>\n$/);
  });

  it("measures software when the file names such a metric, and says why it could not", async () => {
    const world = newExperiment("metrics: [passed, quality, completeness]\n");
    const { exit, stdout } = await world.call(["experiment", "run", "sums.yaml"]);
    expect([exit, stdout]).toEqual([0, expect.stringContaining("| single.yaml | 2 / 4 | 50.0 % | 15.0 % to 85.0 % | – | – |")]);
    expect(rowsOf(world)[0]?.software?.completeness).toEqual({ kind: "unmeasured", reason: "The product is text, not a program." });
    expect(read(world, "sums/table.md")).toContain("single.yaml, 4: The product is text, not a program.");
    const plain = newExperiment();
    await plain.call(["experiment", "run", "sums.yaml"]);
    expect(rowsOf(plain)[0]).not.toHaveProperty("software");
  });

  it("runs nothing again, and asks no model for that", async () => {
    const world = newExperiment();
    const first = await world.call(["experiment", "run", "sums.yaml", "--jobs", "3"]);
    const again = await world.call(["experiment", "run", "sums.yaml"]);
    expect([again.exit, again.stdout]).toEqual([0, first.stdout]);
    expect(again.stderr).toBe("sums/table.md\nsums/plot.svg\n");
    expect(world.store.list(20)).toHaveLength(8);
  });

  it("goes on with what `troupe run` did, and the other way round", async () => {
    const world = newExperiment();
    const run = ["run", "single.yaml", "--tasks", join(world.folder, "set.jsonl"), "--seed", "5", "--results", "sums/results.jsonl"];
    await world.call([...run, "--seeds", "1"]);
    const { stderr } = await world.call(["experiment", "run", "sums.yaml"]);
    expect(stderr).toMatch(/^\[3\/8\]/);
    await world.call([...run, "--seeds", "2"]);
    expect(world.store.list(20)).toHaveLength(8);
    expect(rowsOf(world)).toHaveLength(8);
  });

  it("leaves out rows that no longer belong, says so, and keeps them", async () => {
    const world = newExperiment();
    await world.call(["experiment", "run", "sums.yaml"]);
    const before = read(world, "sums/results.jsonl");
    writeFileSync(join(world.folder, "sums.yaml"), experiment.replace("count: 2", "count: 1").replace("temperature: 0", "temperature: 1"));
    const { stderr } = await world.call(["experiment", "run", "sums.yaml"]);
    expect(stderr).toContain(
      "sums/results.jsonl: 6 rows do not belong to the experiment and are left out, but stay in the file: 4 of seeds",
    );
    expect(stderr).toContain("2 of systems whose limits or overrides were others.");
    expect(read(world, "sums/results.jsonl").startsWith(before)).toBe(true);
    expect(rowsOf(world)).toHaveLength(10);
    expect(read(world, "sums/table.md")).toContain("all 4 runs are done");
  });

  it("stops between runs when the budget is used up, ends with 3, and goes on when it is raised", async () => {
    const world = newExperiment("budget: { tokens: 1 }\n");
    const { exit, stderr } = await world.call(["experiment", "run", "sums.yaml"]);
    expect([exit, rowsOf(world).length]).toEqual([3, 1]);
    expect(stderr).toMatch(
      /The budget of tokens is used up: \d+ tokens and .* are used, 7 runs left\. Raise `budget` in sums\.yaml to go on\.\n$/,
    );
    expect(read(world, "sums/table.md")).toContain("**1 of 8 runs are done");
    expect((await world.call(["experiment", "run", "sums.yaml"])).exit).toBe(3);
    expect(rowsOf(world)).toHaveLength(1);
    writeFileSync(join(world.folder, "sums.yaml"), `${experiment}budget: { tokens: 1000000, seconds: 1000 }\n`);
    expect((await world.call(["experiment", "run", "sums.yaml"])).exit).toBe(0);
    expect(rowsOf(world)).toHaveLength(8);
  });

  it("says that the same call goes on when it is interrupted", async () => {
    const world = newExperiment("", {
      script: (_asked, number) =>
        number === 0 ? "4" : (context.controller.abort(interruption("Ctrl-C")) ?? new Promise<never>(() => undefined)),
    });
    const context = world.context();
    const { exit, stderr } = await world.call(["experiment", "run", "sums.yaml"], context);
    expect([exit, rowsOf(world).length]).toEqual([130, 1]);
    expect(stderr).toContain("What is done is in sums/results.jsonl; the same call goes on from there.");
  });

  it("blames no system for a failure of the world", async () => {
    const world = newExperiment("", { script: () => new TroupeError("model_unauthorized", "The key is wrong.") });
    const { exit, stderr } = await world.call(["experiment", "run", "sums.yaml"]);
    expect([exit, stderr]).toEqual([1, expect.stringContaining("[model_unauthorized]")]);
    expect(existsSync(join(world.folder, "sums"))).toBe(false);
  });

  it("prints rows and at last the report as JSON", async () => {
    const world = newExperiment();
    const { stdout } = await world.call(["experiment", "run", "sums.yaml", "--json", "--out", "elsewhere"]);
    const lines = stdout
      .trimEnd()
      .split("\n")
      .map((line) => JSON.parse(line));
    expect(lines).toHaveLength(9);
    expect(lines.at(-1)).toMatchObject({
      ...{ kind: "report", name: "sums", done: 8, total: 8 },
      pairs: [{ first: "single.yaml", second: "cool", corrected: 1, differences: { passed: { mean: 0 } }, tokens: { equal: true } }],
    });
    expect(existsSync(join(world.folder, "elsewhere/plot.svg"))).toBe(true);
  });
});

describe("troupe experiment check", () => {
  it("says what is done and left, and runs nothing", async () => {
    const world = newExperiment("budget: { tokens: 5000, seconds: 60 }\n");
    const { exit, stdout } = await world.call(["experiment", "check", "sums.yaml"]);
    expect([exit, stdout]).toEqual([
      0,
      "✓ sums.yaml: experiment\n  sums: 2 systems × 2 tasks × 2 seeds = 8 runs, 1 at once; 1 pair compared\n  0 done (0 tokens, 0.0 s), 8 left; budget 5k tokens, 1:00\n  to come: at most 8 activations, about 16k tokens (2.4k generated), at 2k tokens an activation (assumed, nothing has run yet)\n  the budget will probably be used up before that\n",
    ]);
    const json = await world.call(["experiment", "check", "sums.yaml", "--json"]);
    expect(JSON.parse(json.stdout)).toMatchObject({ ok: true, systems: ["single.yaml", "cool"], done: 0, left: 8 });
    expect([world.store.list(1), existsSync(join(world.folder, "sums"))]).toEqual([[], false]);
  });

  it("ends with 2 and shows every problem in its place", async () => {
    const world = newExperiment("budgt: { tokens: 5 }\n");
    const { exit, stderr } = await world.call(["experiment", "check", "sums.yaml"]);
    expect([exit, stderr]).toEqual([2, expect.stringMatching(/sums\.yaml:10:1: error: unknown key "budgt"[\s\S]*budget[\s\S]*1 problem/)]);
    expect((await world.call(["experiment", "check", "none.yaml"])).stderr).toContain("[file_missing]");
  });

  it("knows the models of troupe.yaml", async () => {
    const world = newExperiment("  \n");
    writeFileSync(join(world.folder, "sums.yaml"), experiment.replace("temperature: 0", "model: huge"));
    const { exit, stderr } = await world.call(["experiment", "check", "sums.yaml"]);
    expect([exit, stderr]).toEqual([
      2,
      expect.stringMatching(/sums\.yaml:7:\d+: error: the changed topology single\.yaml can't run: .*huge/),
    ]);
  });
});

describe("troupe experiment report", () => {
  it("writes table and plot of what is there, and runs nothing", async () => {
    const world = newExperiment("budget: { tokens: 1 }\n");
    await world.call(["experiment", "run", "sums.yaml"]);
    const { exit, stdout } = await world.call(["experiment", "report", "sums.yaml", "--out", "sums"]);
    expect([exit, world.store.list(9).length]).toEqual([0, 1]);
    expect(stdout).toContain("| single.yaml | 1 / 1 | 100.0 % |");
  });
});

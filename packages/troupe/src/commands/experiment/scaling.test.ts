import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { taskRow } from "@troupe/runtime";
import { afterEach, describe, expect, it } from "vitest";
import { type FakeWorld, type FakeWorldOptions, fakeWorld } from "../../../test/fake-world.ts";

const worlds: FakeWorld[] = [];
afterEach(() => {
  for (const world of worlds.splice(0)) world.remove();
});

const truth = { alpha: 2.4, beta: 1.6, gamma: 0.6, delta: 0.2 };
const qualityAt = (size: number): number => truth.gamma / (1 + Math.exp(-truth.beta * (Math.log2(size) - truth.alpha))) + truth.delta;

/**
 * The n-th agent of a chain gives the right answer to so many of the tasks as its quality says, the easier ones first. Who is the n-th it
 * knows only by what the one before it has left.
 */
const scripted =
  (tasks: number): FakeWorldOptions["script"] =>
  ({ messages }) => {
    const told = messages.map(({ content }) => content).join("\n");
    const place = Math.max(0, ...[...told.matchAll(/step (\d+)/g)].map(([, step]) => Number(step))) + 1;
    const ease = (Number(/What is t(\d+)\?/.exec(told)?.[1]) + 0.5) / tasks;
    return `step ${place}\nThe answer is ${ease < qualityAt(place) ? 4 : 5}.`;
  };

interface Made {
  readonly tasks: number;
  readonly sizes: readonly number[];
  readonly more?: string;
}

/** A project with a chain that is run at several sizes, beside a single agent. */
function newProject({ tasks, sizes, more = "" }: Made): FakeWorld {
  const world = fakeWorld({ script: scripted(tasks) });
  worlds.push(world);
  const write = (name: string, content: string): void => writeFileSync(join(world.folder, name), content);
  mkdirSync(join(world.folder, "agents"));
  write("troupe.yaml", "models: {}\n");
  write("agents/solver.yaml", "agent: 1\nname: solver\nkind: actor\ninstructions: Count.\noutput: text\n");
  write("agents/merger.yaml", "agent: 1\nname: merger\nkind: aggregator\ninstructions: Merge.\noutput: text\n");
  const defaults = "defaults: { actor: agents/solver.yaml, aggregator: agents/merger.yaml, rounds: 0 }";
  write("net.yaml", `troupe: 1\nname: net\nshape: { kind: mesh, size: 4 }\n${defaults}\n`);
  write("single.yaml", "troupe: 1\nname: single\ndirector: fixed\nagents: [agents/solver.yaml]\n");
  const task = (i: number): string =>
    JSON.stringify({ id: `t${i}`, prompt: `What is t${i}?`, output: "text", grader: { kind: "answer", answer: "4" } });
  write("set.jsonl", Array.from({ length: tasks }, (_, i) => task(i)).join("\n"));
  write(
    "sizes.yaml",
    `experiment: 1
name: sizes
tasks: { set: set.jsonl }
systems:
  - topology: single.yaml
  - { name: net, topology: net.yaml, vary: { shape.kind: [chain, star], shape.size: [${sizes.join(", ")}] } }
statistics: { resamples: 300 }
${more}`,
  );
  return world;
}

const read = (world: FakeWorld, name: string): string => readFileSync(join(world.folder, "sizes", name), "utf8");
const rowsOf = (world: FakeWorld) =>
  read(world, "results.jsonl")
    .trimEnd()
    .split("\n")
    .map((line) => taskRow.parse(JSON.parse(line)));

describe("troupe experiment run of systems that vary in size", () => {
  it("recovers the parameters of scripted quality, from the experiment over its rows to the table", async () => {
    const world = newProject({ tasks: 25, sizes: [1, 2, 4, 8, 16, 32] });
    const { exit, stdout } = await world.call(["experiment", "run", "sizes.yaml", "--json", "--only", "single.yaml,net-chain-*"]);
    expect(exit).toBe(0);
    const { scaling } = JSON.parse(stdout.trimEnd().split("\n").at(-1) ?? "");
    const [{ name, fit, points }] = scaling.lines;
    expect([name, fit.kind, fit.tasks]).toEqual(["net-chain", "fitted", 25]);
    for (const [parameter, value] of Object.entries(truth)) {
      expect(Math.abs(fit[parameter].value - value)).toBeLessThan(2.5 * fit[parameter].standardError);
      expect(fit[parameter].standardError).toBeLessThan(0.6);
    }
    for (const { size, quality } of points) expect(Math.abs(quality.mean - qualityAt(size))).toBeLessThanOrEqual(0.5 / 25 + 1e-9);
    expect(points.map(({ growth }: { growth: number }) => growth.toFixed(2))).toEqual(["1.00", "1.00", "1.00", "1.00", "1.04", "1.04"]);
    expect(read(world, "table.md")).toMatch(
      /\| net-chain \| 32 − 1: \+60\.0 points .*rises by 6\d\.\d points, half of it at size 5\.\d \|/,
    );
    expect(read(world, "table.md")).toMatch(/\| net-star \| 2 − 1: .* \| – \| – \| – \| – \| not fitted: 2 of at least 6 sizes/);
    expect(read(world, "scaling.svg")).toMatch(/^<svg[\s\S]*class="fit t0"[\s\S]*<\/svg>\n$/);
  });

  it("runs a part, says what is left, and goes on with the rest without doing anything again", async () => {
    const world = newProject({ tasks: 2, sizes: [1, 2, 4] });
    const part = await world.call(["experiment", "run", "sizes.yaml", "--sizes", "1,2"]);
    expect([part.exit, part.stderr]).toEqual([0, expect.stringMatching(/^\[1\/6\] /)]);
    expect(part.stderr).toContain("The part that was asked for is done; 4 runs of the experiment left.");
    expect(part.stderr).toContain("sizes/scaling.svg\n");
    expect(rowsOf(world).map(({ topology }) => topology)).toEqual(
      [...Array(2)].flatMap(() => ["single.yaml", "net-chain-1", "net-chain-2"]),
    );
    const before = read(world, "results.jsonl");
    expect((await world.call(["experiment", "run", "sizes.yaml", "--sizes", "1,2"])).stderr).not.toContain("[");
    const rest = await world.call(["experiment", "run", "sizes.yaml"]);
    expect([rest.exit, rest.stderr]).toEqual([0, expect.stringMatching(/^\[7\/10\] /)]);
    expect(read(world, "results.jsonl").startsWith(before)).toBe(true);
    expect([rowsOf(world).length, rest.stderr]).toEqual([10, expect.not.stringContaining("left.\n")]);
    expect(rowsOf(world).find(({ topology }) => topology === "net-chain-4")).toMatchObject({
      bytes: expect.any(Number),
      usage: { calls: 4 },
    });
  });

  it("runs only the first seeds when that is asked for", async () => {
    const world = newProject({ tasks: 2, sizes: [1, 2], more: "seeds: { from: 7, count: 3 }\n" });
    const check = await world.call(["experiment", "check", "sizes.yaml", "--seeds", "2"]);
    expect(check.stdout).toContain("3 systems × 2 tasks × 2 seeds = 12 runs");
    const { exit, stderr } = await world.call(["experiment", "run", "sizes.yaml", "--seeds", "1", "--only", "single.yaml"]);
    expect([exit, stderr]).toEqual([0, expect.stringContaining("16 runs of the experiment left.")]);
    expect(rowsOf(world).map(({ topology, seed }) => [topology, seed])).toEqual([
      ["single.yaml", 7],
      ["single.yaml", 7],
    ]);
  });

  it("stops between runs when generated tokens are used up, says how far it came, and can be resumed", async () => {
    const world = newProject({ tasks: 2, sizes: [1, 2], more: "budget: { generatedTokens: 10 }\n" });
    const { exit, stderr } = await world.call(["experiment", "run", "sizes.yaml"]);
    expect(exit).toBe(3);
    expect(stderr).toMatch(/\[1\/6\] .* · \d+ % of the budget/);
    expect(stderr).toMatch(/The budget of generated tokens is used up: .* left\. Raise `budget` in sizes\.yaml to go on\.\n$/);
    const some = rowsOf(world).length;
    expect(some).toBeLessThan(6);
    const file = join(world.folder, "sizes.yaml");
    writeFileSync(file, readFileSync(file, "utf8").replace("generatedTokens: 10", "generatedTokens: 100000"));
    expect((await world.call(["experiment", "run", "sizes.yaml"])).exit).toBe(0);
    expect(rowsOf(world)).toHaveLength(6);
  });

  it("refuses parts that there are not, before anything is spent", async () => {
    const world = newProject({ tasks: 2, sizes: [1, 2] });
    const failures: [string[], string][] = [
      [["--sizes", "1,3"], "no system has the size 3. The sizes: 1, 2."],
      [["--sizes", "1,x"], "it must be a whole number from 1 upwards"],
      [["--only", "nett*"], 'no system is called "nett*"'],
    ];
    for (const [words, message] of failures) {
      const { exit, stderr } = await world.call(["experiment", "run", "sizes.yaml", ...words]);
      expect([exit, stderr]).toEqual([2, expect.stringContaining(message)]);
    }
    expect(existsSync(join(world.folder, "sizes"))).toBe(false);
  });
});

describe("troupe experiment check of systems that vary in size", () => {
  it("says how many runs and about how many tokens there will be, by size, and how far the budget reaches", async () => {
    const world = newProject({ tasks: 2, sizes: [1, 2, 8], more: "budget: { tokens: 30000 }\n" });
    const { exit, stdout } = await world.call(["experiment", "check", "sizes.yaml"]);
    expect(exit).toBe(0);
    expect(stdout.split("\n").slice(1, -1)).toEqual([
      "  sizes: 5 systems × 2 tasks × 1 seed = 10 runs, 1 at once; 4 pairs compared",
      "  2 more systems are the same graph as one of these, and have its runs",
      "  0 done (0 tokens, 0.0 s), 10 left; budget 30k tokens",
      "  to come: at most 44 activations, about 88k tokens (13.2k generated), at 2k tokens an activation (assumed, nothing has run yet)",
      "    size  runs  activations, at most  tokens, about  generated  time",
      "    none     2                     2             4k        600",
      "       1     2                     2             4k        600",
      "       2     2                     4             8k       1.2k",
      "       8     4                    36            72k      10.8k",
      "  the budget will probably do for --sizes 1,2 and not for the rest",
    ]);
    const part = await world.call(["experiment", "check", "sizes.yaml", "--sizes", "1,2"]);
    expect(part.stdout).toContain("sizes: 3 systems × 2 tasks × 1 seed = 6 runs");
    expect(part.stdout).toContain("the budget will probably do for all of it");
    await world.call(["experiment", "run", "sizes.yaml", "--sizes", "1,2"]);
    const after = await world.call(["experiment", "check", "sizes.yaml"]);
    expect(after.stdout).toMatch(/6 done .*, 4 left[\s\S]*tokens an activation \(as its runs so far\)\n/);
    const json = JSON.parse((await world.call(["experiment", "check", "sizes.yaml", "--json"])).stdout);
    expect(json).toMatchObject({ left: 4, estimate: { runs: 4, measured: true, bySize: [{ size: 8, runs: 4 }] } });
  });
});

import { openStore } from "@troupe/store";
import { afterEach, describe, expect, it } from "vitest";
import { exampleTopology, type FakeWorld, fakeWorld, fileAnswer } from "../../../test/fake-world.ts";

const worlds: FakeWorld[] = [];
afterEach(() => {
  for (const world of worlds.splice(0)) {
    world.store.close();
    world.remove();
  }
});

/** A world with three runs in a database on disk; their names, oldest first. */
async function threeRuns() {
  let count = 0;
  const world = fakeWorld({ script: () => fileAnswer(`print(${count++})`), store: openStore(":memory:") });
  worlds.push(world);
  for (let n = 0; n < 3; n++) await world.call(["run", exampleTopology("single"), "--task", `Print ${n}`]);
  const names = world.store.list(9).map(({ run }) => run);
  return { world, names: names.reverse() as [string, string, string] };
}

describe("troupe runs prune", () => {
  it("removes all but the newest, and says what that freed", async () => {
    const { world, names } = await threeRuns();
    const { exit, stdout, stderr } = await world.call(["runs", "prune", "--keep", "1"]);
    expect(exit).toBe(0);
    expect(stdout).toMatch(new RegExp(`^run .*\\n${names[1]} .*Print 1.*\\n${names[0]} .*Print 0.*\\n$`));
    expect(stderr).toMatch(/^Removed 2 runs, \d+ events, \d+ artifacts: \d.* [kM]?B\.\nThe database went from \d.* to \d.*\.\n$/);
    expect((await world.call(["runs"])).stdout.trimEnd().split("\n")).toHaveLength(2);
    expect((await world.call(["show", "last", "--product"])).stdout).toContain("print(2)");
    expect((await world.call(["replay"])).exit).toBe(0);
  });

  it("says of a pruned run what became of it, wherever it is asked for", async () => {
    const { world, names } = await threeRuns();
    await world.call(["runs", "prune", "--keep", "1"]);
    for (const words of [
      ["show", names[0]],
      ["resume", names[0]],
      ["replay", names[0]],
      ["run", exampleTopology("single"), "--task", "More", "--from", names[0]],
    ]) {
      const { exit, stderr } = await world.call(words);
      expect(exit).toBe(2);
      expect(stderr).toMatch(new RegExp(`Run ${names[0]} was pruned on \\d{4}-.*its log and its artifacts are gone.*\\[run_pruned\\]`));
    }
  });

  it("keeps what a later run went on from", async () => {
    const { world, names } = await threeRuns();
    await world.call(["run", exampleTopology("single"), "--task", "Print more", "--from", names[0]]);
    await world.call(["runs", "prune", "--keep", "1"]);
    const { stdout, exit } = await world.call(["show", "last", "--transcript"]);
    expect([exit, stdout.includes("print(0)")]).toEqual([0, true]);
    expect((await world.call(["replay"])).stdout).toContain("1 of 1 artifact came out byte-identical");
  });

  it("removes nothing when it is only tried, or when nothing is old enough", async () => {
    const { world } = await threeRuns();
    const tried = await world.call(["runs", "prune", "--keep", "0", "--dry-run"]);
    expect(tried.stderr).toMatch(/^Would remove 3 runs, /);
    expect(tried.stdout.trimEnd().split("\n")).toHaveLength(4);
    expect((await world.call(["runs", "prune", "--older-than", "30d"])).stderr).toBe("There is nothing to prune.\n");
    expect(world.store.list(9)).toHaveLength(3);
  });

  it("spares a run that somebody works on, and prints JSON", async () => {
    const { world, names } = await threeRuns();
    world.store.acquire(names[0], Date.now());
    const { stdout } = await world.call(["runs", "prune", "--keep", "0", "--json"]);
    expect(JSON.parse(stdout)).toMatchObject({
      kind: "pruned",
      dryRun: false,
      runs: [names[2], names[1]],
      spared: [{ run: names[0], why: "running" }],
      removed: { runs: 2 },
      file: { left: "in use" },
    });
    expect((await world.call(["runs", "prune", "--keep", "0"])).stderr).toContain(`${names[0]} stays: somebody works on it.`);
  });

  it.each([
    [["runs", "prune"], "--keep 20"],
    [["runs", "prune", "--keep", "-1"], "from 0 upwards"],
    [["runs", "prune", "--older-than", "30"], "12h, 30d"],
    [["runs", "prone"], "prone"],
  ])("ends with 2 for %j", async (words, message) => {
    const { world } = await threeRuns();
    const { exit, stderr } = await world.call(words);
    expect(exit).toBe(2);
    expect(stderr).toContain(message);
    expect(world.store.list(9)).toHaveLength(3);
  });

  it("leaves `troupe runs --limit` as it was", async () => {
    const { world } = await threeRuns();
    expect((await world.call(["runs", "--limit", "1"])).stdout.trimEnd().split("\n")).toHaveLength(2);
  });
});

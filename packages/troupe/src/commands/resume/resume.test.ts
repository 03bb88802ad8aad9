import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { type FakeWorld, fakeWorld, fileAnswer } from "../../../test/fake-world.ts";

let world: FakeWorld;
beforeEach(async () => {
  world = fakeWorld({ script: (request) => (request.messages[0]?.content.includes("judge") ? "REVISE: more" : fileAnswer("print(42)")) });
  const card = (kind: string, instructions: string) => JSON.stringify({ agent: 1, name: kind, kind, instructions });
  writeFileSync(join(world.folder, "actor.yaml"), card("actor", "You write."));
  writeFileSync(join(world.folder, "critic.yaml"), card("critic", "You judge."));
  const defaults = { actor: "actor.yaml", critic: "critic.yaml" };
  const shape = { kind: "chain", size: 2 };
  writeFileSync(join(world.folder, "pair.yaml"), JSON.stringify({ troupe: 1, name: "pair", defaults, shape }));
  const begun = await world.call(["run", "pair.yaml", "--task", "Print 42", "--limit-calls", "1"]);
  expect([begun.exit, begun.stderr]).toEqual([3, expect.stringContaining("The limit of 1 call")]);
});
afterEach(() => world.remove());

function edit(words: string, by: string): void {
  const path = join(world.folder, "pair.yaml");
  writeFileSync(path, readFileSync(path, "utf8").replace(words, by));
}

const resume = (...words: string[]) => world.call(["resume", "last", "--limit-calls", "20", ...words]);

describe("troupe resume of a run whose topology has changed", () => {
  it("ends with 2, names what has changed and both flags, and does nothing", async () => {
    edit("shape", 'limits":{"tokens":90000},"shape');
    const { exit, stderr } = await resume();
    expect(exit).toBe(2);
    expect(stderr).toMatch(
      /pair\.yaml has changed since run \S+ began: limits: tokens none → 90000\. .*--keep.*--accept-changes\. \[topology_changed\]/,
    );
    expect((await world.call(["show", "--log"])).stdout).not.toContain("run.resumed");
  });

  it("goes on as it began with --keep", async () => {
    edit('"size":2', '"size":3');
    const { exit, stderr } = await resume("--keep");
    expect(exit).toBe(0);
    expect(stderr).toContain("node 3 is new");
    expect(stderr).toContain("it goes on as it began");
  });

  it("takes the change over with --accept-changes, and the log says so", async () => {
    edit("shape", 'limits":{"tokens":90000},"shape');
    const { exit, stderr } = await resume("--accept-changes");
    expect(exit).toBe(0);
    expect(stderr).toContain("limits: tokens none → 90000");
    const { stdout } = await world.call(["show", "--log"]);
    expect(stdout).toMatch(/run\.resumed +limits \{"calls":20,"tokens":90000\}, with a changed topology/);
    expect((await world.call(["replay"])).exit).toBe(0);
  });

  it("refuses another graph, and both flags at once", async () => {
    edit('"size":2', '"size":3');
    const refused = await resume("--accept-changes");
    expect([refused.exit, refused.stderr.includes("edge 2→3 is new")]).toEqual([2, true]);
    expect((await resume("--keep", "--accept-changes")).exit).toBe(2);
  });
});

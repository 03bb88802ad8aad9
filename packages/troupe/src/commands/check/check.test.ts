import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, describe, expect, it } from "vitest";
import { type FakeWorld, fakeWorld } from "../../../test/fake-world.ts";

const worlds: FakeWorld[] = [];
afterEach(() => {
  for (const world of worlds.splice(0)) world.remove();
});

/** A world whose working folder has these files, beside the cards of an actor and of a critic. */
function newWorld(files: Record<string, string>): FakeWorld {
  const world = fakeWorld({ script: [] });
  worlds.push(world);
  const card = (name: string, kind: string) => `agent: 1\nname: ${name}\nkind: ${kind}\ninstructions: Work.\n`;
  const cards = { "writer.yaml": card("writer", "actor"), "judge.yaml": card("judge", "critic") };
  for (const [path, text] of Object.entries({ ...cards, ...files })) writeFileSync(join(world.folder, path), text);
  return world;
}

const idle = [
  "troupe: 1",
  "name: idle",
  "shape: { kind: chain, size: 2 }",
  "defaults: { actor: writer.yaml, critic: judge.yaml, rounds: 0 }",
  "",
].join("\n");

describe("troupe check", () => {
  it("prints warnings with their place and what to do, and ends with 0", async () => {
    const { exit, stdout, stderr } = await newWorld({ "idle.yaml": idle }).call(["check", "idle.yaml"]);
    expect([exit, stderr]).toEqual([0, ""]);
    expect(stdout).toMatch(
      /idle\.yaml:4:61: warning: the critic of `defaults` never judges.*\n {3}4 \| defaults: .*\n +\| +\^\n {2}hint: .*\n✓ idle\.yaml: topology\n/,
    );
  });

  it("lists warnings as JSON", async () => {
    const { stdout } = await newWorld({ "idle.yaml": idle }).call(["check", "idle.yaml", "--json"]);
    expect(JSON.parse(stdout)).toMatchObject({ ok: true, problems: [{ severity: "warning", line: 4, column: 61 }] });
  });
});

describe("troupe run", () => {
  it("prints warnings once on stderr, before the run, also for a set", async () => {
    const world = newWorld({ "idle.yaml": idle });
    const answering = fakeWorld({ script: () => "The answer is 4." });
    worlds.push(answering);
    const context = { ...answering.context(), cwd: world.folder };
    const one = await answering.call(["run", "idle.yaml", "--task", "x"], context);
    expect(one.stderr.split("never judges")).toHaveLength(2);
    expect(one.stderr.indexOf("never judges")).toBeLessThan(one.stderr.indexOf("▸"));
    const task = (id: string) => JSON.stringify({ id, prompt: "What is 2 + 2?", output: "text", grader: { kind: "answer", answer: "4" } });
    writeFileSync(join(world.folder, "set.jsonl"), `${task("a")}\n${task("b")}\n`);
    const set = { ...answering.context(), cwd: world.folder };
    const many = await answering.call(["run", "idle.yaml", "--tasks", join(world.folder, "set.jsonl")], set);
    expect(many.exit).toBe(0);
    expect(many.stderr.split("never judges")).toHaveLength(2);
  });
});

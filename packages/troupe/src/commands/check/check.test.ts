import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, describe, expect, it } from "vitest";
import type { FakeContext } from "../../../test/fake-context.ts";
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

/** The world of a fake one, with these models declared. */
function openWith(world: FakeWorld, names: readonly string[]): NonNullable<FakeContext["open"]> {
  const open = world.context().open;
  if (open === undefined) throw new Error("a fake world opens itself");
  return { ...open, ports: async (options, signal) => ({ ...(await open.ports(options, signal)), modelNames: names }) };
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

describe("troupe check with a troupe.yaml", () => {
  const topology = ["troupe: 1", "name: t", "shape: { kind: chain, size: 2 }", "defaults: { actor: writer.yaml, model: larg }", ""].join(
    "\n",
  );
  const project = "models:\n  large: { embedded: tiny }\n";

  it("reports models that it does not declare, with their place, and says the same as run", async () => {
    const world = newWorld({ "t.yaml": topology, "troupe.yaml": project });
    const { exit, stdout } = await world.call(["check", "t.yaml"]);
    expect(exit).toBe(2);
    const problem =
      /t\.yaml:4:40: error: no model is declared as "larg"\n.*\n.*\^\^\^\^\n {2}expected: one of "large", "default".*\n {2}hint: did you mean "large"\?\n/;
    expect(stdout).toMatch(problem);
    const { stderr } = await world.call(["run", "t.yaml", "--task", "x"], { open: openWith(world, ["large", "default"]) });
    expect(problem.exec(stderr)?.[0]).toBe(problem.exec(stdout)?.[0]);
    expect(stderr).toContain("troupe: 1 problem [model_unknown]");
  });

  it("reports the model of a card, where the card has it", async () => {
    const card = "agent: 1\nname: writer\nkind: actor\nmodel: coder\ninstructions: Work.\n";
    const plain = topology.replace(", model: larg", "");
    const { exit, stdout } = await newWorld({ "t.yaml": plain, "writer.yaml": card, "troupe.yaml": project }).call(["check", "t.yaml"]);
    expect([exit, stdout]).toEqual([2, expect.stringMatching(/writer\.yaml:4:8: error: no model is declared as "coder"/)]);
  });

  it("takes the file that --models names, and any model when no model is declared", async () => {
    const files = {
      "t.yaml": topology,
      "troupe.yaml": project,
      "other.yaml": "models: { larg: { embedded: tiny } }\n",
      "none.yaml": "db: x.db\n",
    };
    const world = newWorld(files);
    for (const name of ["other.yaml", "none.yaml"]) expect((await world.call(["check", "t.yaml", "--models", name])).exit).toBe(0);
    expect(await world.call(["check", "t.yaml", "--models", "nowhere.yaml"])).toMatchObject({
      exit: 2,
      stderr: expect.stringContaining("nowhere.yaml"),
    });
  });

  it("says that it can't look at models when troupe.yaml can't be used", async () => {
    const { exit, stdout, stderr } = await newWorld({ "t.yaml": topology, "troupe.yaml": "models: 7\n" }).call(["check", "t.yaml"]);
    expect([exit, stdout]).toEqual([0, expect.stringContaining("✓ t.yaml")]);
    expect(stderr).toMatch(/^Models of topologies are not checked: \S+troupe\.yaml has problems\. See `troupe check \S+troupe\.yaml`\.\n$/);
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

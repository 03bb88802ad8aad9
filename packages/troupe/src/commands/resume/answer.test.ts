import { setImmediate } from "node:timers/promises";
import { foldLog } from "@troupe/engine";
import { afterEach, describe, expect, it } from "vitest";
import { exampleTopology, type FakeWorld, fakeWorld, fileAnswer } from "../../../test/fake-world.ts";

const worlds: FakeWorld[] = [];
afterEach(() => {
  for (const world of worlds.splice(0)) world.remove();
});

/** A world whose planner plans and whose programmer writes; it knows how often a model was asked. */
function askWorld() {
  const asked: string[] = [];
  const world = fakeWorld({
    script: ({ messages }) => {
      const whole = messages.map(({ content }) => content).join("\n");
      asked.push(whole);
      return whole.includes("main.py") ? fileAnswer("print(1)") : "1. Print\n2. Stop";
    },
  });
  worlds.push(world);
  const run = ["run", exampleTopology("ask-first"), "--task", "Print a number"];
  return { world, run, asked, log: () => world.store.events(world.store.resolve("last")) };
}

describe("a run that asks a person", () => {
  it("ends as failed where nobody can be asked, and says how to answer", async () => {
    const { world, run, log } = askWorld();
    const { exit, stderr } = await world.call(run);
    expect(exit).toBe(1);
    const name = world.store.resolve("last");
    expect(stderr).toContain(`Shall it be written like this?`);
    expect(stderr).toContain(`\`troupe resume ${name}\`, or anywhere with \`troupe resume ${name} --answer TEXT\`. [human_missing]`);
    expect(foldLog(log()).outcome).toMatchObject({ kind: "failed", error: { code: "human_missing" } });
  });

  it("goes on with --answer, asks no model twice, and is replayed without asking anybody", async () => {
    const { world, run, asked, log } = askWorld();
    await world.call(run);
    const before = asked.length;
    const refused = await world.call(["resume", "last", "--answer", "perhaps"]);
    expect([refused.exit, asked.length]).toEqual([1, before]);
    expect(refused.stderr).toContain('"perhaps" is no answer to it.');
    const { exit, stderr } = await world.call(["resume", "last", "--answer", "YES"]);
    expect([exit, stderr]).toEqual([0, expect.stringContaining("The run is completed.")]);
    expect(asked.slice(before).filter((text) => !text.includes("main.py"))).toEqual([]);
    const wait = foldLog(log()).rows.find(({ activation }) => activation.kind === "wait");
    expect(wait?.output && world.store.get(wait.output)).toEqual({ kind: "choice", choice: "yes" });
    const replayed = await world.call(["replay", "last"]);
    expect([replayed.exit, replayed.stdout]).toEqual([0, expect.stringMatching(/^(\d+) of \1 artifacts came out byte-identical/)]);
  });

  it("refuses an answer that no question waits for", async () => {
    const { world, run, asked } = askWorld();
    await world.call(run);
    await world.call(["resume", "last", "--answer", "yes", "--limit-calls", "1"]);
    const before = asked.length;
    const { exit, stderr } = await world.call(["resume", "last", "--answer", "yes"]);
    expect([exit, asked.length]).toEqual([2, before]);
    expect(stderr).toMatch(/waits for no answer\. .*\[call_invalid\]/);
  });

  it.each([
    ["the live tree", { NO_COLOR: "1" }],
    ["plain lines", { NO_COLOR: "1", TERM: "dumb" }],
  ])("is answered in the terminal, between %s", async (_, env) => {
    const { world, run } = askWorld();
    const context = world.context({ terminal: true, env });
    const going = world.call(run, context);
    while (!context.process.stderr.text().endsWith("\n> ")) await setImmediate();
    const shown = context.process.stderr.text();
    expect(shown).toContain("approve asks you\n");
    expect(shown).toMatch(/1\. Print\n2\. Stop\nShall it be written like this\?\n {2}1 {2}yes\n {2}2 {2}no\n> $/);
    context.process.stdin.write("1\n");
    expect((await going).exit).toBe(0);
  });

  it("is stopped by Ctrl-C while it asks, and asks again on a resume", async () => {
    const { world, run, log } = askWorld();
    const context = world.context({ terminal: true });
    const going = world.call(run, context);
    while (!context.process.stderr.text().endsWith("\n> ")) await setImmediate();
    context.controller.abort(new Error("interrupted by Ctrl-C"));
    expect((await going).exit).toBe(130);
    expect(foldLog(log()).outcome).toMatchObject({ kind: "cancelled" });
    expect((await world.call(["resume", "last", "--answer", "1"])).exit).toBe(0);
  });
});

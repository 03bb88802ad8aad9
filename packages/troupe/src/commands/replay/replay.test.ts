import { afterEach, describe, expect, it } from "vitest";
import { exampleTopology, type FakeWorld, type FakeWorldOptions, fakeWorld, fileAnswer } from "../../../test/fake-world.ts";

const worlds: FakeWorld[] = [];
afterEach(() => {
  for (const world of worlds.splice(0)) world.remove();
});

/** A world with one run of a chain whose actors write another program each time, and whose critics want another one. */
async function recordedWorld(options: Partial<FakeWorldOptions> = {}) {
  const asked = { count: 0 };
  const script: FakeWorldOptions["script"] = ({ messages }) => {
    asked.count++;
    return messages[0]?.content.includes("reviewer") ? "REVISE: It prints the wrong number." : fileAnswer(`print(${asked.count})`);
  };
  const world = fakeWorld({ script, ...options });
  worlds.push(world);
  await world.call(["run", exampleTopology("review-chain"), "--task", "Print a number"]);
  const before = asked.count;
  return { world, askedSince: () => asked.count - before };
}

describe("troupe replay", () => {
  it("says that every artifact came out byte-identical, without asking a model or writing anything", async () => {
    const { world, askedSince } = await recordedWorld();
    const log = world.store.events(world.store.resolve("last"));
    const { exit, stdout, stderr } = await world.call(["replay"]);
    expect([exit, askedSince()]).toEqual([0, 0]);
    expect(stdout).toMatch(
      /^7 of 7 artifacts came out byte-identical, 8 of 8 answers of the director the same\.\n\d+ answers came from the log, no model was asked\. \d+ tool uses ran again in the sandbox fake\.\n$/,
    );
    expect(stderr).toMatch(/^✓ #0 1 \(programmer\) {2}[0-9a-f]{12}\n/);
    expect(world.store.events(world.store.resolve("last"))).toEqual(log);
  });

  it("ends with 1 and names the artifact and the tool when a program does something else now", async () => {
    let isRecorded = false;
    const broken = { exitCode: 1, stderr: "NameError: x" };
    const { world, askedSince } = await recordedWorld({ sandbox: () => (isRecorded ? broken : {}) });
    isRecorded = true;
    const { exit, stdout, stderr } = await world.call(["replay", "last"]);
    expect([exit, askedSince()]).toEqual([1, 0]);
    expect(stderr).toMatch(
      /^✗ #0 1 \(programmer\): in call 1 it asks .* the log has no answer to; \w+ gave another result .*exit code 1 instead of 0/,
    );
    expect(stdout).toMatch(/^\d of 7 artifacts came out byte-identical, 8 of 8 answers/);
  });

  it("prints a line of JSON for each part, and the whole last", async () => {
    const { world } = await recordedWorld();
    const { exit, stdout } = await world.call(["replay", "last", "--json"]);
    const lines = stdout
      .trimEnd()
      .split("\n")
      .map((line) => JSON.parse(line) as Record<string, unknown>);
    expect(exit).toBe(0);
    expect(lines.pop()).toMatchObject({
      kind: "replay",
      topology: "review-chain",
      same: true,
      artifacts: 7,
      sameArtifacts: 7,
      sandbox: "fake",
    });
    const first = lines.find(({ kind }) => kind === "activation");
    expect(first).toMatchObject({ id: 0, agent: "programmer", same: true, reason: null });
    expect(first?.["replayed"]).toEqual(first?.["logged"]);
  });

  it("ends with 2 for an unknown run", async () => {
    const { world } = await recordedWorld();
    expect((await world.call(["replay", "nobody"])).exit).toBe(2);
  });
});

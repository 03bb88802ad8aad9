import { afterEach, describe, expect, it } from "vitest";
import { exampleTopology, type FakeWorld, type FakeWorldOptions, fakeWorld, fileAnswer } from "../../../test/fake-world.ts";

const worlds: FakeWorld[] = [];
afterEach(() => {
  for (const world of worlds.splice(0)) world.remove();
});

/** A world with one run of a chain of three, whose critics want another number and whose actors write one. */
async function recordedWorld(options: Partial<FakeWorldOptions> = {}): Promise<FakeWorld> {
  let programs = 0;
  const script: FakeWorldOptions["script"] = ({ messages }) => {
    if (messages[0]?.content.includes("reviewer")) return "REVISE: `print` shows the wrong number.";
    programs++;
    return fileAnswer(`print(${programs})`);
  };
  const world = fakeWorld({ script, ...options });
  worlds.push(world);
  await world.call(["run", exampleTopology("review-chain"), "--task", "Print a number"]);
  return world;
}

describe("troupe metrics", () => {
  it("measures the product and the run", async () => {
    const { exit, stdout } = await (await recordedWorld()).call(["metrics"]);
    expect(exit).toBe(0);
    const lines = stdout.split("\n").map((line) => line.trim().replace(/ {2,}/g, "  "));
    expect(lines[0]).toMatch(/^\S+ {2}review-chain {2}completed$/);
    expect(lines).toEqual(
      expect.arrayContaining([
        "Product",
        "completeness  1  No code is left for later.",
        "executability  1  `python main.py` ends with exit code 0.",
        expect.stringMatching(/^consistency {2}0?\.\d{3} {2}By embedding \(scripted\); the code in 1 piece\.$/),
        expect.stringMatching(/^quality, mean {2}0\.\d{3} {2}Mean of the three\.$/),
        "activations  7 done: 1 act, 2 critique, 2 refine, 2 develop",
        "topology  3  2  0.667  2  1",
        "rounds  2 in 2 talks; ended early 0 (0 %)",
        "suggestions  2, adopted 2 (100 %): by the source 2, by the target 2",
        "named  of 2 that name words of the code, 2 (100 %) have one in a changed line",
      ]),
    );
  });

  it("shows a dash and the reason where there is no figure", async () => {
    const refuse = { exitCode: 1, stderr: "Traceback (most recent call last):\nEOFError: EOF when reading a line" };
    const { exit, stdout } = await (await recordedWorld({ sandbox: () => refuse })).call(["metrics", "last"]);
    expect(exit).toBe(0);
    expect(stdout).toMatch(/executability +– +`python main\.py` asks for input/);
    expect(stdout).toMatch(/quality, multiplied +– +executability could not be measured\./);
  });

  it("prints one line of JSON, with --log-only without the product and without any world but the runs", async () => {
    const world = await recordedWorld();
    const whole = JSON.parse((await world.call(["metrics", "--json"])).stdout);
    expect(whole).toMatchObject({
      kind: "metrics",
      topology: "review-chain",
      outcome: "completed",
      graph: { nodes: 7, depth: 6, width: 1 },
      shape: { kind: "measured", nodes: 3 },
      adoption: { all: { suggestions: 2, share: 1 }, edges: [{ edge: "1→2" }, { edge: "2→3" }] },
      software: { completeness: { kind: "measured", value: 1 } },
    });
    const context = world.context();
    const open = { runs: context.open?.runs, ports: () => Promise.reject(new Error("not expected")) };
    const { exit, stdout } = await world.call(["metrics", "last", "--log-only", "--json"], { ...context, open } as never);
    expect(exit).toBe(0);
    const { software: _, ...log } = whole;
    expect(JSON.parse(stdout)).toEqual(log);
  });

  it("says that there is no such run", async () => {
    const world = await recordedWorld();
    expect(await world.call(["metrics", "2020"])).toMatchObject({ exit: 2, stderr: expect.stringContaining("run_unknown") });
  });
});

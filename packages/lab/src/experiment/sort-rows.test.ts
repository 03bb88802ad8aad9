import { afterAll, describe, expect, it } from "vitest";
import { leastExperiment, newLaboratory, rowOf } from "../../test/laboratory.ts";
import { spendingOf } from "./run-experiment.ts";
import { ignoredWords, sortRows } from "./sort-rows.ts";

const laboratory = newLaboratory();
afterAll(() => laboratory.remove());
const [single, chain] = ["topologies/single.yaml", "topologies/chain.yaml"];

describe("sortRows()", () => {
  it("runs task by task, and within a task seed by seed", async () => {
    const { left, rows, ignored } = sortRows(await laboratory.load(`${leastExperiment}seeds: [4, 2]\n`), []);
    expect(left.slice(0, 5).map(({ topology, task, seed }) => [topology, task.id, seed])).toEqual([
      [single, "a", 4],
      [chain, "a", 4],
      [single, "a", 2],
      [chain, "a", 2],
      [single, "b", 4],
    ]);
    expect([left.length, rows, ignoredWords(ignored)]).toEqual([12, [], undefined]);
  });

  it("takes rows of `troupe run`, and leaves out what does not belong, with the reason", async () => {
    const experiment = await laboratory.load(`${leastExperiment}  - { name: short, topology: ${single}, limits: { tokens: 900 } }\n`);
    const setup = experiment.systems[2]?.setup;
    const belonging = [rowOf(single, "a", 0), rowOf("short", "b", 0, { setup })];
    const others = [
      rowOf("elsewhere.yaml", "a", 0),
      rowOf(single, "z", 0),
      rowOf(single, "a", 9),
      rowOf("short", "a", 0, { setup: "0123456789ab" }),
      rowOf("short", "c", 0),
      rowOf(single, "a", 0, { passed: false }),
    ];
    const { rows, left, ignored } = sortRows(experiment, [...belonging, ...others]);
    expect(rows).toEqual(belonging);
    expect(left).toHaveLength(7);
    expect(left.find(({ topology }) => topology === "short")).toMatchObject({ setup, limits: { tokens: 900 } });
    expect(ignoredWords(ignored)).toBe(
      "6 rows do not belong to the experiment and are left out, but stay in the file: 1 of systems that it does not name, 1 of tasks that it does not use, 1 of seeds that it does not use, 2 of systems whose limits or overrides were others, 1 of runs that are there already.",
    );
  });
});

describe("sortRows() of systems that are the same graph", () => {
  it("runs the first of them, whose rows are those of all", async () => {
    const experiment = await laboratory.load(
      `${leastExperiment}  - { name: net, topology: topologies/net.yaml, vary: { shape.kind: [chain, mesh], shape.size: [1, 3] } }\n`,
    );
    const setup = experiment.systems.find(({ name }) => name === "net-chain-1")?.setup;
    const { rows, left, ignored } = sortRows(experiment, [rowOf("net-chain-1", "a", 0, { setup }), rowOf("net-mesh-1", "a", 0, { setup })]);
    expect([rows.map(({ topology }) => topology), [...ignored]]).toEqual([["net-chain-1"], [["system", 1]]]);
    expect(new Set(left.map(({ topology }) => topology))).toEqual(new Set([single, chain, "net-chain-1", "net-chain-3", "net-mesh-3"]));
    expect(left).toHaveLength(5 * 3 - 1);
  });
});

describe("spendingOf()", () => {
  it("adds up rows, and says which budget they use up", async () => {
    const rows = [rowOf(single, "a", 0), rowOf(chain, "a", 0, { seconds: 5 })];
    const of = async (budget: string) => spendingOf(await laboratory.load(leastExperiment + budget), rows);
    expect(await of("")).toEqual({ tokens: 200, generatedTokens: 40, seconds: 6, exhausted: undefined });
    expect((await of("budget: { tokens: 201, seconds: 6 }\n")).exhausted).toBe("seconds");
    expect((await of("budget: { tokens: 200 }\n")).exhausted).toBe("tokens");
    expect((await of("budget: { tokens: 201, generatedTokens: 40 }\n")).exhausted).toBe("generatedTokens");
    expect((await of("budget: { generatedTokens: 41 }\n")).exhausted).toBeUndefined();
    expect((await of("budget: { tokens: 201, seconds: 6.1 }\n")).exhausted).toBeUndefined();
  });
});

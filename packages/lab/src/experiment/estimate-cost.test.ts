import { noUsage, type Usage } from "@troupe/schema";
import { afterAll, describe, expect, it } from "vitest";
import { newLaboratory, rowOf } from "../../test/laboratory.ts";
import { estimateCost } from "./estimate-cost.ts";
import { budgetLeft } from "./run-experiment.ts";
import { selectSystems } from "./select-systems.ts";
import { sortRows } from "./sort-rows.ts";

const laboratory = newLaboratory();
afterAll(() => laboratory.remove());
const experiment = (more = "") => `experiment: 1
name: sizes
tasks: { set: set.jsonl, limit: 2 }
systems:
  - topology: topologies/single.yaml
  - { name: net, topology: topologies/net.yaml, vary: { shape.kind: [chain, mesh], shape.size: [1, 2, 8] }${more} }
jobs: 2
`;
const single = "topologies/single.yaml";
const spent = (inputTokens: number, outputTokens: number): { usage: Usage } => ({
  usage: { ...noUsage, calls: 1, inputTokens, outputTokens },
});

describe("estimateCost()", () => {
  it("assumes what an activation uses as long as nothing has run, and tells it by size", async () => {
    const loaded = await laboratory.load(experiment());
    const { tokensPerActivation, measured, bySize, seconds, ...all } = estimateCost(loaded, sortRows(loaded, []));
    expect([tokensPerActivation, measured, seconds]).toEqual([2000, false, undefined]);
    const mesh = loaded.systems.find(({ name }) => name === "net-mesh-8")?.bound ?? 0;
    expect(mesh).toBeGreaterThan(28);
    // Both shapes are one graph at sizes 1 and 2, which run once for each of the two tasks.
    expect(bySize.map(({ size, runs, activations }) => [size, runs, activations])).toEqual([
      [undefined, 2, 2],
      [1, 2, 2],
      [2, 2, 4],
      [8, 4, 2 * (8 + mesh)],
    ]);
    expect(all).toMatchObject({ runs: 10, tokens: 2000 * (24 + 2 * mesh), generatedTokens: 300 * (24 + 2 * mesh) });
  });

  it("takes what was measured, of a system that has run its own mean, and never more than a run may use", async () => {
    const loaded = await laboratory.load(experiment(", limits: { tokens: 900 }"));
    const setup = loaded.systems.find(({ name }) => name === "net-chain-1")?.setup;
    const rows = [
      rowOf(single, "a", 0, { ...spent(80, 20), seconds: 3 }),
      rowOf("net-chain-1", "a", 0, { setup, ...spent(240, 60), seconds: 5 }),
    ];
    const { perRun, measured, tokens, generatedTokens, seconds } = estimateCost(loaded, sortRows(loaded, rows));
    expect([measured, ...perRun]).toEqual([
      ...[true, [single, 100], ["net-chain-1", 300], ["net-chain-2", 400], ["net-chain-8", 900], ["net-mesh-8", 900]],
    ]);
    expect(tokens).toBe(100 + 300 + 2 * (400 + 900 + 900));
    expect(generatedTokens).toBeCloseTo(tokens / 5);
    expect(seconds).toBeCloseTo((tokens * 8) / 400 / 2);
  });
});

describe("budgetLeft()", () => {
  it("is the least share of what is limited", async () => {
    const rows = [rowOf(single, "a", 0, { ...spent(80, 20), seconds: 3 })];
    const of = async (budget: string) => budgetLeft(await laboratory.load(experiment() + budget), rows);
    expect(await of("")).toBeUndefined();
    expect(await of("budget: { tokens: 400, generatedTokens: 30 }\n")).toBeCloseTo(1 / 3);
    expect(await of("budget: { seconds: 2 }\n")).toBe(0);
  });
});

describe("selectSystems()", () => {
  it("finds systems by patterns and by size, and those that run for them", async () => {
    const loaded = await laboratory.load(experiment());
    const of = (choice: Parameters<typeof selectSystems>[1]) => [...selectSystems(loaded, choice)];
    expect(of({})).toEqual([single, "net-chain-1", "net-chain-2", "net-chain-8", "net-mesh-8"]);
    expect(of({ sizes: [1, 8] })).toEqual([single, "net-chain-1", "net-chain-8", "net-mesh-8"]);
    expect(of({ only: "net-mesh-*", sizes: [1, 8] })).toEqual(["net-chain-1", "net-mesh-8"]);
    expect(of({ only: "topologies/*, net-*-2" })).toEqual([single, "net-chain-2"]);
  });

  it("refuses what no system has", async () => {
    const loaded = await laboratory.load(experiment());
    const of = (choice: Parameters<typeof selectSystems>[1]) => () => selectSystems(loaded, choice);
    expect(of({ only: "nett-*" })).toThrow(/--only: no system is called "nett-\*"\. The systems: topologies\/single\.yaml, net-chain-1/);
    expect(of({ sizes: [1, 3] })).toThrow("--sizes: no system has the size 3. The sizes: 1, 2, 8.");
    expect(of({ only: "net-chain-1", sizes: [8] })).toThrow("both of --only and of --sizes");
  });
});

import { isTroupeError } from "@troupe/schema";
import { afterEach, describe, expect, it } from "vitest";
import { type Laboratory, leastExperiment, newLaboratory } from "../../test/laboratory.ts";
import { loadExperiment, resultsFolderOf } from "./load-experiment.ts";

const laboratories: Laboratory[] = [];
afterEach(() => {
  for (const laboratory of laboratories.splice(0)) laboratory.remove();
});

function newOne(tasks?: readonly string[]): Laboratory {
  const laboratory = newLaboratory(tasks);
  laboratories.push(laboratory);
  return laboratory;
}

async function messageOf(loading: Promise<unknown>): Promise<string> {
  try {
    await loading;
  } catch (error) {
    if (isTroupeError(error)) return `${error.message} [${error.code}]`;
    throw error;
  }
  return "nothing is wrong";
}

describe("loadExperiment()", () => {
  it("loads systems by the path that is written, from the experiment's folder or one above it", async () => {
    const { systems, tasks, seeds, pairs } = await newOne().load(leastExperiment);
    expect(systems.map(({ name, setup }) => [name, setup])).toEqual([
      ["topologies/single.yaml", undefined],
      ["topologies/chain.yaml", undefined],
    ]);
    expect(tasks.map(({ id }) => id)).toEqual(["a", "b", "c"]);
    expect([seeds, pairs]).toEqual([[0], [["topologies/single.yaml", "topologies/chain.yaml"]]]);
  });

  it("changes a topology field by field, and gives what it changes a digest of its own", async () => {
    const laboratory = newOne();
    const system = (more: string): string =>
      `${leastExperiment}  - { name: wide, topology: topologies/chain.yaml, limits: { tokens: 500 }, overrides: { ${more} } }\n`;
    const load = async (more: string) => (await laboratory.load(system(more))).systems[2];
    const wide = await load("shape: { kind: chain, size: 5 }, defaults: { rounds: 3 }");
    expect(wide?.bundle.file).toMatchObject({ shape: { kind: "chain", size: 5 }, defaults: { rounds: 3, temperature: 0.7 } });
    expect(wide?.limits).toEqual({ tokens: 500 });
    expect(wide?.setup).toMatch(/^[0-9a-f]{12}$/);
    expect((await load("shape: { kind: chain, size: 5 }, defaults: { rounds: 3 }"))?.setup).toBe(wide?.setup);
    expect((await load("shape: { kind: chain, size: 6 }, defaults: { rounds: 3 }"))?.setup).not.toBe(wide?.setup);
  });

  it("chooses tasks by split, then by tags, then by number; and seeds by a range", async () => {
    const { tasks, seeds } = await newOne(["a", "b", "c", "d"]).load(
      `${leastExperiment.replace(
        "{ set: set.jsonl }",
        "{ set: set.jsonl, limit: 2, split: { parts: { dev: [d, b, c], test: [a] }, use: dev } }",
      )}seeds: { from: 7, count: 3 }\n`,
    );
    expect([tasks.map(({ id }) => id), seeds]).toEqual([
      ["b", "c"],
      [7, 8, 9],
    ]);
  });

  it("takes another task set when it is told to", async () => {
    const laboratory = newOne();
    const given = laboratory.write("elsewhere.jsonl", `{"id":"z","prompt":"z"}\n`);
    const { tasks } = await laboratory.load(leastExperiment.replace("set.jsonl", "nowhere.jsonl"), { tasks: given });
    expect(tasks.map(({ id }) => id)).toEqual(["z"]);
  });

  it("makes one system for each combination that is varied, and runs those that are the same graph once", async () => {
    const { systems, pairs } = await newOne().load(`${leastExperiment}  - name: net
    topology: topologies/net.yaml
    limits: { calls: 90 }
    vary: { shape.size: [1, 2, 4], shape.kind: [chain, mesh], limits.tokens: [700] }
statistics: { pairs: [[topologies/single.yaml, "net-*-1-700"], ["net-*-4-700", "net-chain-*"]] }
`);
    const net = systems.filter(({ entry }) => entry === 2);
    expect(net.map(({ name, runsAs, bound }) => [name, runsAs, bound])).toEqual([
      ["net-chain-1-700", "net-chain-1-700", 1],
      ["net-chain-2-700", "net-chain-2-700", 2],
      ["net-chain-4-700", "net-chain-4-700", 4],
      ["net-mesh-1-700", "net-chain-1-700", 1],
      ["net-mesh-2-700", "net-chain-2-700", 2],
      ["net-mesh-4-700", "net-mesh-4-700", expect.any(Number)],
    ]);
    expect(net[2]).toMatchObject({ limits: { calls: 90, tokens: 700 }, values: { "shape.size": 4 } });
    expect(net[2]?.bundle.file).toMatchObject({ shape: { kind: "chain", size: 4 }, defaults: { rounds: 0, temperature: 0.7 } });
    expect(new Set(net.map(({ setup }) => setup)).size).toBe(6);
    expect(pairs).toEqual([
      ["topologies/single.yaml", "net-chain-1-700"],
      ["net-chain-4-700", "net-chain-1-700"],
      ["net-chain-4-700", "net-chain-2-700"],
      ["net-mesh-4-700", "net-chain-1-700"],
      ["net-mesh-4-700", "net-chain-2-700"],
      ["net-mesh-4-700", "net-chain-4-700"],
    ]);
  });

  it("tells a system from another by what its graph is, its limits and what its nodes are", async () => {
    const runners = async (vary: string) =>
      (await newOne().load(`${leastExperiment}  - { name: net, topology: topologies/net.yaml, vary: { ${vary} } }\n`)).systems
        .slice(2)
        .map(({ runsAs }) => runsAs);
    expect(await runners("shape.size: [2], limits.tokens: [5, 6]")).toEqual(["net-2-5", "net-2-6"]);
    expect(await runners("defaults.temperature: [0.1, 0.7]")).toEqual(["net-0.1", "net-0.7"]);
    expect(await runners("defaults.memory: [artifact, history]")).toEqual(["net-artifact", "net-history"]);
    expect(await runners("shape.kind: [chain, layer, random]")).toEqual(["net-chain", "net-layer", "net-chain"]);
  });

  it("keeps rows of systems when more is varied, and not of those that are changed", async () => {
    const setups = async (vary: string, more = "") =>
      (await newOne().load(`${leastExperiment}  - { name: net, topology: topologies/net.yaml, vary: { ${vary} }${more} }\n`)).systems.map(
        ({ setup }) => setup,
      );
    const [, , small] = await setups("shape.size: [2]");
    expect(await setups("shape.size: [1, 2, 4]")).toContain(small);
    expect(await setups("shape.size: [1, 2, 4]", ", limits: { calls: 3 }")).not.toContain(small);
  });

  it("makes all pairs when all are asked for", async () => {
    const text = `${leastExperiment}  - { name: third, topology: topologies/chain.yaml, limits: { calls: 3 } }\nstatistics: { pairs: all }\n`;
    expect((await newOne().load(text)).pairs).toHaveLength(3);
  });

  it("tells all that is wrong at once, each where it stands", async () => {
    const laboratory = newOne();
    laboratory.write("topologies/bad.yaml", "troupe: 1\nname: bad\nshap: { kind: chain, size: 2 }\n");
    const message = await messageOf(
      laboratory.load(`experiment: 1
name: wrong
tasks: { set: nowhere.jsonl }
systems:
  - topology: topologies/nowhere.yaml
  - topology: topologies/bad.yaml
  - { name: changed, topology: topologies/chain.yaml, overrides: { defaults: { actor: agents/nobody.yaml } } }
`),
    );
    expect(message).toMatch(/x\.yaml:5:15: error: there is no topology "topologies\/nowhere\.yaml"\n[^\n]*5 \|/);
    expect(message).toMatch(/bad\.yaml:3:1: error: unknown key "shap"/);
    expect(message).toMatch(
      /x\.yaml:7:\d+: error: the changed topology topologies\/chain\.yaml can't run: there is no file "agents\/nobody\.yaml"/,
    );
    expect(message).toMatch(/x\.yaml:3:15: error: there is no task set "nowhere\.jsonl"[\s\S]*--tasks PATH/);
    expect(message).toMatch(/\[file_invalid\]$/);
  });

  it.each([
    ["sistems: []", /unknown key "sistems"[\s\S]*"systems"/],
    ["scaling: { measure: quality }", /scaling\.measure is "quality", which is none of the `metrics`/],
    ["jobs: 0", /x\.yaml:7:7: error: jobs is 0/],
    ["seeds: { from: 3 }", /"count" is missing in seeds/],
    ["statistics: { pairs: [[a, b]] }", /statistics\.pairs\[0\] names "a", which is none of the systems/],
    ["metrics: [passd]", /metrics\[0\] is "passd"[\s\S]*passed/],
    ["budget: { token: 5 }", /unknown key "token" in budget[\s\S]*tokens/],
  ])("says of %s what is wrong", async (line, words) => {
    expect(await messageOf(newOne().load(`${leastExperiment}${line}\n`))).toMatch(words);
  });

  it("says which of the varied systems can't run, once for each entry", async () => {
    const laboratory = newOne();
    laboratory.write(
      "topologies/dense.yaml",
      "troupe: 1\nname: dense\nshape: { kind: random, size: 2, density: 1 }\ndefaults: { actor: agents/solo.yaml }\n",
    );
    const message = await messageOf(
      laboratory.load(`${leastExperiment}  - { name: net, topology: topologies/dense.yaml, vary: { shape.kind: [random, star, mesh] } }\n`),
    );
    expect(message).toMatch(
      /x\.yaml:7:\d+: error: the changed topology topologies\/dense\.yaml can't run as net-star: unknown key "density" in shape/,
    );
    expect(message).not.toContain("net-mesh");
    const wrong = `${leastExperiment}  - { name: net, topology: topologies/dense.yaml, vary: { shape.kind: [ring], shape.sise: [1] } }\n`;
    expect(await messageOf(laboratory.load(wrong))).toMatch(
      /vary\.shape\.kind\[0\] is "ring"[\s\S]*unknown key "shape\.sise"[\s\S]*"shape\.size"/,
    );
  });

  it("says which tasks of a split there are not, and when none is left", async () => {
    const withTasks = (tasks: string): string => leastExperiment.replace("{ set: set.jsonl }", tasks);
    const laboratory = newOne();
    expect(await messageOf(laboratory.load(withTasks("{ set: set.jsonl, split: { parts: { dev: [a, q] }, use: dev } }")))).toMatch(
      /x\.yaml:3:\d+: error: the task set set\.jsonl has no task "q"/,
    );
    expect(await messageOf(laboratory.load(withTasks("{ set: set.jsonl, tags: [a, b] }")))).toContain("no task is left to run");
    laboratory.write("set.jsonl", "{");
    expect(await messageOf(laboratory.load(leastExperiment))).toMatch(/x\.yaml:3:15: error: .*set\.jsonl/);
  });

  it("says that the file is empty, no file, or not there", async () => {
    const laboratory = newOne();
    expect(await messageOf(laboratory.load(""))).toMatch(/the file is empty/);
    const { signal } = new AbortController();
    expect(await messageOf(loadExperiment(laboratory.folder, { signal }))).toContain("[file_unreadable]");
    expect(await messageOf(loadExperiment(`${laboratory.folder}/none.yaml`, { signal }))).toMatch(/There is no file .*\[file_missing\]/);
  });
});

describe("resultsFolderOf()", () => {
  it("is named like the file, beside it", () => {
    expect([resultsFolderOf("experiments/x.yaml"), resultsFolderOf("a/x.yml"), resultsFolderOf("x")]).toEqual([
      "experiments/x",
      "a/x",
      "x.results",
    ]);
  });
});

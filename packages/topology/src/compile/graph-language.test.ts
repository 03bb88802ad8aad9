import { expect, it, describe } from "vitest";
import { graphOf, loadText, thrownBy } from "../../test/fixtures.ts";
import { bundleTopology } from "../load/bundle-topology.ts";
import { cards, defaults } from "../../test/fixtures.ts";
import { describeTopology } from "../draw/describe-topology.ts";
import { drawTopology } from "../draw/draw-topology.ts";

const problemsOf = (...lines: string[]) => thrownBy(() => loadText(...lines)).problems;
const errorsOf = (call: () => unknown) => thrownBy(call).problems.filter(({ severity }) => severity === "error");
const said = (...lines: string[]) => problemsOf(...lines).map(({ line, message }) => [line, message]);

describe("what stands at a node", () => {
  it.each([
    ["- { id: a, agent: actor, literal: x }", '`agent` and `literal` can\'t stand at one node, "a"'],
    ["- { id: a, literal: x, model: m }", "`model` means nothing to a node with `literal`"],
    ["- { id: a, vote: {}, join: 2 }", "`join` means nothing to a node with `vote`"],
    ["- { id: a, pass: true }", 'nothing comes to the node "a", which only takes what others made'],
    ["- { id: a, graph: missing.yaml }", 'there is no topology "missing.yaml"'],
    [
      "- { id: a, loop: { graph: { nodes: [{ id: x }] }, times: 3, until: 'rounds > 1' } }",
      "the condition can't be used: unknown variable: rounds",
    ],
  ])("%s: %s", (node, message) => {
    expect(said("nodes:", `  ${node}`)).toContainEqual([5, message]);
  });

  it("takes nothing from edges that carry nothing, where it can only take", () => {
    const lines = (node: string) => ["nodes:", "  - { id: a }", `  - { id: b, ${node} }`, "edges: [{ from: a, to: b, carry: false }]"];
    const message = 'nothing comes to the node "b", which only takes what others made';
    for (const node of ["pass: true", "vote: {}", "best: true"]) expect(said(...lines(node))).toEqual([[6, message]]);
    const inner = (node: string) => ["nodes:", "  - id: g", "    graph:", ...lines(node).map((line) => `      ${line}`)];
    // Inside another graph it has what that graph was given; but that is no vote.
    expect(loadText(...inner("pass: true")).warnings).toEqual([]);
    expect(said(...inner("vote: {}"))).toEqual([[9, message]]);
  });

  it("takes only what it can: unknown keys and impossible numbers are told with what was expected", () => {
    expect(said("nodes:", "  - { id: a, loop: { graph: { nodes: [{ id: x }] }, times: 0 } }")).toEqual([
      [5, expect.stringContaining("times")],
    ]);
    expect(problemsOf("nodes:", "  - { id: a, humann: { ask: x } }")[0]).toMatchObject({ hint: 'did you mean "human"?' });
    expect(said("nodes:", "  - { id: a }", "  - { id: v, vote: { need: 3 } }", "edges: [a -> v]")).toEqual([
      [6, "3 artifacts are waited for, but only 1 edge brings one"],
    ]);
  });
});

describe("what an edge says", () => {
  const edge = (more: string, node = "{ id: b }") =>
    said("nodes:", "  - { id: a }", `  - ${node}`, "edges:", `  - { from: a, to: b, ${more} }`);

  it.each([
    ["carry: false, trigger: false", "{ id: b }", "an edge that neither carries nor triggers does nothing"],
    ["carry: false, critic: critic", "{ id: b }", "the critic never judges: the edge gives the target nothing to work on"],
    ["map: {}, reduce: {}", "{ id: b, agent: aggregator }", "an edge can't both map and reduce"],
    ["map: {}", "{ id: b, pass: true }", "a node with `pass` can't work on items"],
    ["reduce: {}", "{ id: b }", "nobody merges the items"],
    ["trigger: false", "{ id: b, pass: true }", "a node with `pass` has no use for a context"],
    ["trigger: false", "{ id: b }", 'nothing sets "b" off: every edge into it says `trigger: false`'],
    ["critic: none", "{ id: b, literal: x }", "a literal takes nothing, so nothing can be carried to it"],
  ])("%s: told at its line", (more, node, message) => {
    expect(edge(more, node)).toContainEqual([8, message]);
  });

  it("a condition that can't be used is told with the place in it", () => {
    const [problem] = problemsOf("nodes: [{ id: a }, { id: b }]", "edges:", "  - { from: a, to: b, when: 'artifact.texts == \"x\"' }");
    expect(problem).toMatchObject({
      line: 6,
      message: "the condition can't be used: no such key: texts",
      expected: expect.stringContaining("CEL"),
    });
    expect(problem?.excerpt).toContain("^^^^^");
  });

  it("a condition without end is told at its place, whatever is wrong with it", () => {
    const at = (when: string) => said("nodes: [{ id: a }, { id: b }]", "edges:", `  - { from: a, to: b, when: '${when}' }`);
    expect(at(`${"(".repeat(500)}true${")".repeat(500)}`)).toEqual([[6, "the condition can't be used: it is nested more than 30 deep"]]);
    expect(at(`true${" || true".repeat(200)}`)).toEqual([[6, "the condition can't be used: it has more than 300 parts"]]);
    expect(at("t".repeat(2001))).toContainEqual([6, expect.stringContaining("edges[0].when is")]);
    expect(at("")).toContainEqual([6, expect.stringContaining("edges[0].when is")]);
  });

  it("a critic whose source no agent works at is refused, one of the defaults left out", () => {
    const lines = ["nodes:", "  - { id: a, literal: x }", "  - { id: b }", "edges:"];
    expect(said(...lines, "  - { from: a, to: b, critic: critic }")).toContainEqual([
      8,
      expect.stringContaining("nobody could follow the critic"),
    ]);
    const { graph } = loadText(...lines, "  - a -> b");
    expect(graph.director === "graph" && graph.edges[0]?.rule).toMatchObject({ critic: undefined, rounds: 0 });
  });

  it("items are worked on where nothing else brings artifacts", () => {
    const lines = ["nodes: [{ id: a }, { id: b }, { id: c }]", "edges:", "  - { from: a, to: c, map: {} }", "  - { from: b, to: c }"];
    expect(said(...lines)).toContainEqual([6, "further edges bring artifacts to where the items are worked on"]);
  });
});

describe("graphs in nodes", () => {
  const chain = { troupe: 1, name: "inner", shape: { kind: "chain", size: 2 }, defaults };
  const load = (graphs: Record<string, unknown>, graph: unknown = "inner.yaml") =>
    bundleTopology({ file: { troupe: 1, name: "outer", defaults, nodes: [{ id: "g", graph }] }, cards, graphs });

  it("are compiled with the agents of the whole, and kept in the bundle", () => {
    const { graph, bundle } = load({ "inner.yaml": chain });
    expect(Object.keys(graph.agents).sort()).toEqual(["programmer", "reviewer"]);
    expect(Object.keys(bundle.graphs ?? {})).toEqual(["inner.yaml"]);
    expect(graph.bound).toBe(4);
  });

  it("may not lead back to themselves", () => {
    const again = { ...chain, shape: undefined, nodes: [{ id: "x", graph: "inner.yaml" }] };
    expect(thrownBy(() => load({ "inner.yaml": again })).message).toContain(
      "graphs lie in each other without end: inner.yaml -> inner.yaml",
    );
  });

  it("may not lead back to themselves over other files, nor lie in each other too deep: told where they do", () => {
    const file = (name: string, ...inner: string[]) => ({
      troupe: 1,
      name,
      nodes: inner.map((graph, i) => ({ id: `n${i}`, graph })),
      defaults,
    });
    const leaf = { ...file("leaf"), nodes: [{ id: "x" }] };
    const row = (count: number, end: string) =>
      Object.fromEntries(Array.from({ length: count }, (_, i) => [`${i}.yaml`, file(`f${i}`, i + 1 < count ? `${i + 1}.yaml` : end)]));
    const loadRow = (count: number, end: string) => () =>
      bundleTopology({ file: file("outer", "0.yaml"), cards, graphs: { ...row(count, end), "leaf.yaml": leaf } });
    expect(loadRow(7, "leaf.yaml")).not.toThrow();
    expect(errorsOf(loadRow(8, "leaf.yaml"))).toMatchObject([
      { file: "topology", message: "graphs lie in each other more than 8 deep", expected: "at most 8 files in each other" },
    ]);
    for (const count of [2, 9, 300]) {
      const { problems } = thrownBy(loadRow(count, "0.yaml"));
      const names = Array.from({ length: count }, (_, i) => `${i}.yaml`);
      expect(problems).toContainEqual(
        expect.objectContaining({
          file: `${count - 1}.yaml`,
          message: `graphs lie in each other without end: ${[...names, "0.yaml"].join(" -> ")}`,
        }),
      );
    }
  });

  it("are compiled once, however many nodes they work at, and however they lie in each other", () => {
    const ids = Array.from({ length: 1000 }, (_, i) => i);
    const many = (name: string, graph: string) => ({ troupe: 1, name, nodes: ids.map((id) => ({ id, graph })), defaults });
    const mesh = { troupe: 1, name: "mesh", shape: { kind: "mesh", size: 50 }, defaults: { ...defaults, critic: "none" } };
    const graphs = { "1.yaml": many("a1", "2.yaml"), "2.yaml": many("a2", "3.yaml"), "3.yaml": many("a3", "mesh.yaml"), "mesh.yaml": mesh };
    const { graph } = bundleTopology({ file: many("outer", "1.yaml"), cards, graphs });
    if (graph.director !== "graph") throw new Error("not a graph");
    const [first, second] = graph.nodes.map(({ work }) => (work.kind === "graph" ? work.body : undefined));
    expect(first).toBe(second);
    expect(first).toBeDefined();
    // A mesh of 50: one source, 1,225 edges, and joins of 2 to 49; each graph of 1,000 merges their results in groups of 4.
    const join = (count: number) => Math.ceil((count - 1) / 3);
    const inner = 1 + 1225 + Array.from({ length: 50 }, (_, i) => (i > 1 ? join(i) : 0)).reduce((a, b) => a + b, 0);
    const merges = join(1000);
    expect(graph.bound).toBe(1000 * (1000 * (1000 * (1000 * inner + merges) + merges) + merges) + merges);
    expect(describeTopology(graph)).toContain("at most");
  });

  it("whose agents are dealt profiles of the graph around them differ, and are bounded together", () => {
    const names = ["ada", "bob", "cleo", "dan"];
    const pool = { pool: 1, name: "people", profiles: names.map((name) => ({ name, text: `You are ${name}.` })) };
    const inner = { troupe: 1, name: "inner", shape: { kind: "chain", size: 2 }, defaults: { ...defaults, critic: "none" } };
    const outer = (count: number) => ({
      ...{ troupe: 1, name: "outer", nodes: Array.from({ length: count }, (_, id) => ({ id, graph: "inner.yaml" })) },
      defaults: { ...defaults, profiles: { actor: "pool.yaml" } },
    });
    const profiles = { "pool.yaml": pool };
    const { graph } = bundleTopology({ file: outer(2), cards, graphs: { "inner.yaml": inner }, profiles });
    const works = graph.director === "graph" ? graph.nodes.map(({ work }) => work) : [];
    const drawn = works.flatMap((work) => (work.kind === "graph" ? work.body.nodes.map(({ profile }) => profile?.name) : []));
    expect(drawn.sort()).toEqual(names);
    const huge = { ...inner, shape: { kind: "mesh", size: 1000 } };
    expect(errorsOf(() => bundleTopology({ file: outer(100), cards, graphs: { "inner.yaml": huge }, profiles }))).toMatchObject([
      { message: "the graphs inside nodes have more than 2000000 nodes and edges together" },
    ]);
  });

  it("that nobody works in are no loops", () => {
    const lines = [
      "nodes:",
      "  - { id: a }",
      "  - id: l",
      "    loop: { times: 3, graph: { nodes: [{ id: x, literal: y }, { id: z, pass: true }], edges: [x -> z] } }",
    ];
    expect(said(...lines, "edges: [a -> l]")).toEqual([[7, "nobody works in the loop: all of its rounds give the same at once"]]);
  });

  it("are told of at their own places: those in files by their names, those in place by their lines", () => {
    expect(thrownBy(() => load({ "inner.yaml": { ...chain, defaults: {} } })).problems).toContainEqual(
      expect.objectContaining({ file: "inner.yaml", message: "nodes of the shape have no agent" }),
    );
    const lines = ["nodes:", "  - id: g", "    graph:", "      nodes: [{ id: x }, { id: y }]", "      edges: [x -> z]"];
    expect(said(...lines)).toEqual([[8, 'no node is called "z"']]);
  });

  it("a fixed list can't be a node", () => {
    const list = { troupe: 1, name: "list", director: "fixed", agents: ["actor"] };
    expect(thrownBy(() => load({ "inner.yaml": list })).message).toContain("has the director fixed");
  });
});

it("only nodes whose edges may bring nothing are counted one by one", () => {
  const { nodes, ending } = graphOf({
    nodes: ["a", "b", "c", "d", "e"].map((id) => ({ id })),
    edges: [{ from: "a", to: "b", when: "round == 0" }, "b -> c", "a -> d", "c, d -> e"],
  });
  expect(nodes.map(({ arrivals }) => arrivals?.carrying)).toEqual([undefined, 1, 1, undefined, 2]);
  expect(ending).toBeUndefined();
});

it("the bound counts items, rounds of loops and waits", () => {
  const loop = { graph: { nodes: [{ id: "x" }, { id: "y" }], edges: ["x -> y"] }, times: 3 };
  const nodes = [{ id: "a" }, { id: "m" }, { id: "l", loop }, { id: "h", human: { ask: "Good?" } }];
  const edges = [{ from: "a", to: "m", map: { most: 10 } }, "m -> l -> h"];
  const graph = graphOf({ nodes, edges, defaults: { ...defaults, critic: "none" } });
  expect(graph.bound).toBe(1 + 10 + 3 * 2 + 1);
});

it("drawings name what works at nodes and what is special on edges", () => {
  const nodes = [{ id: "a" }, { id: "b", human: { ask: "Good?" } }, { id: "c", best: true }, { id: "v", vote: { need: 2 } }];
  const edges = [{ from: "a", to: "b", when: "round == 0" }, { from: "a", to: "c" }, "b, c -> v"];
  const graph = graphOf({ nodes, edges, defaults: { ...defaults, critic: "none" } });
  const svg = drawTopology(graph, { format: "svg" });
  for (const words of ["a person", "best", "vote, 2 needed", "if round == 0"]) expect(svg).toContain(words);
  expect(describeTopology(graph)).toContain("a person");
});

it("tools of an agent that makes no files are warned of", () => {
  const thinker = { agent: 1, name: "thinker", kind: "actor", instructions: "Think.", output: "text", tools: ["run_program"] };
  const file = { troupe: 1, name: "t", nodes: [{ id: "a", agent: "thinker" }] };
  const { warnings } = bundleTopology({ file, cards: { thinker } });
  expect(warnings.map(({ message }) => message)).toEqual(['"thinker" has tools, which are for agents that make files, but it makes text']);
});

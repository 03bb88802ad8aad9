import { topologyBundle } from "@troupe/schema";
import fc from "fast-check";
import { expect, it } from "vitest";
import { cards, edgeNames, graphOf, loadText, thrownBy } from "../../test/fixtures.ts";
import { bundleTopology } from "../load/bundle-topology.ts";
import { compileTopology } from "./compile-topology.ts";

/** Problems of a topology in YAML (its first three lines are the fixture's head), as `line:column message`. */
function said(...lines: string[]): string[] {
  return thrownBy(() => loadText(...lines)).problems.map(({ line, column, message }) => `${line}:${column} ${message}`);
}

const abc = "nodes: [{ id: a }, { id: b }, { id: c }]";

it("compileTopology() indexes nodes and edges", () => {
  const graph = graphOf({
    nodes: [{ id: "plan" }, { id: "code", model: "coder", temperature: 1 }, { id: "test", agent: "tester" }],
    edges: ["code -> test", { from: "plan", to: "test", critic: "none", rounds: 3, model: "m" }, "plan -> code"],
  });
  expect(graph.nodes).toMatchObject([
    {
      index: 0,
      id: "plan",
      agent: "programmer",
      model: undefined,
      temperature: 0.2,
      depth: 0,
      height: 2,
      work: { kind: "agent" },
      arrivals: undefined,
    },
    {
      index: 1,
      id: "code",
      agent: "programmer",
      model: "coder",
      temperature: 1,
      depth: 1,
      height: 1,
      work: { kind: "agent" },
      arrivals: undefined,
    },
    {
      index: 2,
      id: "test",
      agent: "tester",
      model: undefined,
      temperature: 0.2,
      depth: 2,
      height: 0,
      work: { kind: "agent" },
      arrivals: undefined,
    },
  ]);
  const usual = { critic: "reviewer", model: undefined, rounds: 1, when: undefined, carry: true, trigger: true, split: undefined };
  expect(graph.edges).toMatchObject([
    { index: 0, from: 0, to: 1, rule: usual },
    { index: 1, from: 0, to: 2, rule: { ...usual, critic: undefined, model: "m", rounds: 0 } },
    { index: 2, from: 1, to: 2, rule: usual },
  ]);
  expect([...graph.outStart]).toEqual([0, 2, 3, 3]);
  expect([...graph.inDegree]).toEqual([0, 1, 2]);
  expect(graph).toMatchObject({ sources: [0], sinks: [2], aggregator: "merger", groupSize: 4 });
  expect(Object.keys(graph.agents).sort()).toEqual(["merger", "programmer", "reviewer", "tester"]);
});

it("compileTopology() is pure: equal bundles give equal, deeply frozen graphs, and bundles stay as they were", () => {
  const bundle = topologyBundle.parse({
    file: { troupe: 1, name: "x", shape: { kind: "tree", size: 5 }, defaults: { actor: "actor", aggregator: "aggregator" } },
    cards,
  });
  const before = structuredClone(bundle);
  const graph = compileTopology(bundle);
  expect(compileTopology(bundle)).toEqual(graph);
  expect(bundle).toEqual(before);
  const loose: string[] = [];
  const visit = (value: unknown, path: string) => {
    if (typeof value !== "object" || value === null || value instanceof Int32Array) return;
    if (!Object.isFrozen(value)) loose.push(path);
    for (const [key, inner] of Object.entries(value)) visit(inner, `${path}.${key}`);
  };
  visit(graph, "graph");
  expect(loose).toEqual([]);
  expect(Object.isFrozen(bundle.cards["actor"])).toBe(false);
});

it("compileTopology() takes a node's model before the default, and an edge's too", () => {
  const graph = graphOf({
    shape: { kind: "chain", size: 3 },
    defaults: { actor: "actor", critic: "critic", aggregator: "aggregator", model: "big" },
    nodes: [{ id: 2, model: "small" }],
    edges: [{ from: 2, to: 3, model: "tiny" }],
  });
  expect(graph.nodes.map(({ model }) => model)).toEqual(["big", "small", "big"]);
  expect(graph.edges.map(({ rule }) => rule.model)).toEqual(["big", "tiny"]);
  expect(graph.aggregatorModel).toBe("big");
});

it("compileTopology() lets the temperature fall with depth, exactly at both ends", () => {
  const temperature = { from: 1, to: 0.2 };
  const of = (size: number) =>
    graphOf({ shape: { kind: "chain", size }, defaults: { actor: "actor", temperature } }).nodes.map((node) => node.temperature);
  expect(of(5)).toEqual([1, 0.8, 0.6, 0.4, 0.2]);
  expect(of(1)).toEqual([1]);
  const star = graphOf({ shape: { kind: "star", size: 4 }, defaults: { actor: "actor", aggregator: "aggregator", temperature } });
  expect(star.productTemperature).toBe(0.2);
});

it("compileTopology() changes generated nodes and edges by name", () => {
  const graph = graphOf({
    shape: { kind: "chain", size: 3, reverse: true },
    nodes: [{ id: 3, agent: "tester" }],
    edges: [{ from: 3, to: 2, rounds: 5 }],
  });
  expect(edgeNames(graph)).toEqual(["2->1", "3->2"]);
  expect(graph.nodes.map(({ agent }) => agent)).toEqual(["programmer", "programmer", "tester"]);
  expect(graph.edges.map(({ rule }) => rule.rounds)).toEqual([1, 5]);
});

it("compileTopology() adds nothing to a shape", () => {
  const shape = "shape: { kind: chain, size: 3 }";
  expect(said(shape, "nodes: [{ id: 4 }]")).toEqual(['5:15 the shape has no node "4"']);
  expect(said(shape, "edges: [{ from: 1, to: 3 }]")).toEqual(["5:9 the shape has no edge 1 -> 3"]);
  const [turned] = thrownBy(() => loadText(shape, "edges: [{ from: 2, to: 1 }]")).problems;
  expect(turned?.hint).toBe("did you mean 1 -> 2?");
  expect(said(shape, "edges: [{ from: 1, to: 2 }, { from: 1, to: 2 }]")).toEqual(["5:29 the edge 1 -> 2 stands twice: first on line 5"]);
});

it.each([
  [{ kind: "chain", size: 3 }, { critic: "critic" }, 1 + 3 + 3],
  [{ kind: "chain", size: 3 }, { critic: "critic", rounds: 2 }, 1 + 5 + 5],
  [{ kind: "chain", size: 3 }, { critic: "none" }, 1 + 1 + 1],
  [{ kind: "star", size: 5 }, {}, 1 + 4 + 1],
  [{ kind: "star", size: 5 }, { groupSize: 2 }, 1 + 4 + 3],
  [{ kind: "star", size: 6, reverse: true }, { groupSize: 3 }, 5 + 5 + 2],
  [{ kind: "mesh", size: 4 }, { critic: "critic" }, 1 + 18 + 1 + 1],
])("compileTopology() bounds the activations of %j with %j by %i", (shape, extra, bound) => {
  const graph = graphOf({ shape, defaults: { actor: "actor", aggregator: "aggregator", ...extra } });
  expect(graph.bound).toBe(bound);
});

it("compileTopology() names no aggregator when nothing is ever merged", () => {
  const graph = graphOf({ shape: { kind: "chain", size: 3 } });
  expect(graph.aggregator).toBeUndefined();
  expect(Object.keys(graph.agents)).not.toContain("merger");
});

it("compileTopology() compiles a fixed list", () => {
  const file = {
    troupe: 1,
    name: "x",
    director: "fixed",
    agents: ["actor", "tester", "actor"],
    defaults: { model: "m", temperature: { from: 1, to: 0 } },
  };
  const { graph } = bundleTopology({ file, cards });
  expect(graph).toMatchObject({
    director: "fixed",
    sequence: ["programmer", "tester", "programmer"],
    bound: 3,
    model: "m",
    temperatures: [1, 0.5, 0],
  });
});

it("compileTopology() prints a cycle as the path that closes it, with the line of each edge", () => {
  expect(said(abc, "edges:", "  - a -> b", "  - b -> c", "  - c -> a")).toEqual([
    "8:10 the edges go round in a circle: a -> b (line 6) -> c (line 7) -> a (line 8)",
  ]);
  expect(said(abc, "edges:", "  - b -> c", "  - { from: c, to: a }", "  - a -> b")).toEqual([
    "8:10 the edges go round in a circle: b -> c (line 6) -> a (line 7) -> b (line 8)",
  ]);
  expect(said(abc, "edges: [a -> b -> c -> a]")).toEqual([
    "5:24 the edges go round in a circle: a -> b (line 5) -> c (line 5) -> a (line 5)",
  ]);
});

it("compileTopology() reports every separate cycle, and says where in an object", () => {
  const nodes = "nodes: [{ id: a }, { id: b }, { id: c }, { id: d }, { id: e }]";
  expect(said(nodes, "edges:", "  - a -> b -> a", "  - e -> c -> d -> c")).toHaveLength(2);
  const file = {
    troupe: 1,
    name: "x",
    nodes: [
      { id: "a", agent: "actor" },
      { id: "b", agent: "actor" },
    ],
    edges: ["a -> b", "b -> a"],
  };
  expect(thrownBy(() => bundleTopology({ file, cards })).message).toContain("a -> b (edges[0]) -> a (edges[1])");
});

it.each([
  [["edges: [a -> b -> c, a -> a]"], "5:27 the edge a -> a joins a node to itself"],
  [["edges:", "  - a -> [b, c]", "  - { from: a, to: c }"], "7:5 the edge a -> c stands twice: first on line 6"],
  [["edges: [a -> b]"], '4:31 no edge touches the node "c"'],
  [["edges: [a -> b -> code]"], '5:19 no node is called "code"'],
  [["edges:", "  - a -> b -> "], "6:13 the edge ends where a node's name was expected"],
  [["edges:", "  - 3-1 -> a"], "6:5 the range 3-1 runs backwards"],
])("compileTopology() refuses %j", (lines, problem) => {
  expect(said(abc, ...lines)).toEqual([problem]);
});

it("compileTopology() suggests the node that was meant", () => {
  const [problem] = thrownBy(() => loadText("nodes: [{ id: plan }, { id: code }]", "edges: [paln -> code]")).problems;
  expect(problem).toMatchObject({ hint: 'did you mean "plan"?', expected: 'one of "plan", "code"' });
});

it("compileTopology() allows nodes without any edge", () => {
  const { graph } = loadText(abc);
  expect(graph).toMatchObject({ sources: [0, 1, 2], sinks: [0, 1, 2], aggregator: "merger", bound: 4 });
});

it.each([
  [[], "the graph has no nodes"],
  [["nodes: []"], "the graph has no nodes"],
  [["agents: [actor]"], "the graph has no nodes"],
  [["shape: { kind: chain, size: 2 }", "agents: [actor]"], "`agents` means nothing to the graph director"],
  [["director: fixed"], "nobody acts"],
  [["director: fixed", "agents: [actor]", "shape: { kind: chain, size: 2 }"], "`shape` means nothing to the fixed director"],
  [["director: fixed", "agents: [actor]", "nodes: [{ id: a }]"], "`nodes` means nothing to the fixed director"],
  [["shape: { kind: layer, size: 3, layers: 4 }"], "4 layers for 3 nodes"],
  [["shape: { kind: layer, size: 100000, layers: 2 }"], "this shape has 2500000000 edges"],
  [["nodes: [{ id: a }, { id: a }]"], 'the node "a" stands twice: first on line 4'],
  [["nodes: [{ id: a, agent: critic }]"], '"critic" is the card of a critic, not of an actor'],
  [["nodes: [{ id: a, agent: nobody }]"], 'there is no card "nobody"'],
])("compileTopology() refuses %j", (lines, message) => {
  const errors = thrownBy(() => loadText(...lines)).problems.filter(({ severity }) => severity === "error");
  expect(errors.map((problem) => problem.message)).toEqual([message]);
});

it("compileTopology() wants an agent for every node and somebody who merges", () => {
  const of = (file: object) =>
    thrownBy(() => bundleTopology({ file: { troupe: 1, name: "x", ...file }, cards })).problems.map(({ message }) => message);
  expect(of({ shape: { kind: "chain", size: 3 } })).toEqual(["nodes of the shape have no agent"]);
  expect(of({ nodes: [{ id: "a", agent: "actor" }, { id: "b" }], edges: ["a -> b"] })).toEqual(['the node "b" has no agent']);
  const defaults = { actor: "actor" };
  expect(of({ shape: { kind: "star", size: 3 }, defaults })).toEqual(["2 nodes end the graph, but nobody merges what they bring"]);
  expect(of({ shape: { kind: "mesh", size: 3 }, defaults })).toEqual(['2 edges meet at the node "3", but nobody merges what they bring']);
});

it("compileTopology() refuses different cards of one name, not one card under two paths", () => {
  const nodes = [
    { id: "a", agent: "actor" },
    { id: "b", agent: "other" },
  ];
  const of = (other: object) => () =>
    bundleTopology({ file: { troupe: 1, name: "x", nodes, edges: ["a -> b"] }, cards: { ...cards, other } });
  expect(of(cards.actor)().graph.agents).toHaveProperty("programmer");
  expect(thrownBy(of({ ...cards.actor, turns: 9 })).problems.map(({ message }) => message)).toEqual([
    '"other" and "actor" are different cards of the same name, "programmer"',
  ]);
});

it("compileTopology() warns of what has no effect", () => {
  const { warnings } = loadText(
    "shape: { kind: chain, size: 3 }",
    "edges:",
    "  - 1 -> 2",
    "  - { from: 2, to: 3, critic: none, rounds: 2 }",
  );
  expect(warnings.map(({ line, message, severity }) => `${line} ${severity} ${message}`)).toEqual([
    "6 warning the shape makes the edges, and this line changes none of them",
    "7 warning rounds have no effect: the edge has no critic",
  ]);
});

it("compileTopology() compiles any acyclic graph with the right degrees and longest paths", () => {
  const dag = fc.integer({ min: 2, max: 12 }).chain((n) =>
    fc.record({
      names: fc.shuffledSubarray(
        Array.from({ length: n }, (_, i) => i),
        { minLength: n, maxLength: n },
      ),
      kept: fc.array(fc.boolean(), { minLength: n * n, maxLength: n * n }),
    }),
  );
  fc.assert(
    fc.property(dag, ({ names, kept }) => {
      const n = names.length;
      // Edges run along a hidden order of the names, beside a path through it so that no node is alone.
      const pairs = names.flatMap((u, i) => names.slice(i + 1).flatMap((v, k) => (k === 0 || kept[i * n + k] ? [[u, v] as const] : [])));
      const graph = graphOf({ nodes: names.map((_, i) => ({ id: i })), edges: pairs.map(([u, v]) => ({ from: u, to: v })) });
      const longest = (node: number, next: (at: number) => number[]): number =>
        Math.max(-1, ...next(node).map((other) => longest(other, next))) + 1;
      const before = (at: number) => pairs.flatMap(([u, v]) => (v === at ? [u] : []));
      const behind = (at: number) => pairs.flatMap(([u, v]) => (u === at ? [v] : []));
      for (const { index, depth, height } of graph.nodes) {
        expect(graph.inDegree[index]).toBe(before(index).length);
        expect((graph.outStart[index + 1] ?? 0) - (graph.outStart[index] ?? 0)).toBe(behind(index).length);
        expect([depth, height]).toEqual([longest(index, before), longest(index, behind)]);
      }
      const sorted = graph.edges.map(({ from, to }) => from * n + to);
      expect(sorted).toEqual([...sorted].sort((a, b) => a - b));
      expect(graph.edges.every(({ from, index }) => index >= (graph.outStart[from] ?? 0) && index < (graph.outStart[from + 1] ?? 0))).toBe(
        true,
      );
    }),
    { numRuns: 60 },
  );
});

it("compileTopology() finds a cycle in every graph that has one, as edges of the graph", () => {
  const edge = fc.tuple(fc.nat(7), fc.nat(7)).filter(([u, v]) => u !== v);
  fc.assert(
    fc.property(fc.uniqueArray(edge, { minLength: 1, maxLength: 20, selector: String }), (pairs) => {
      const used = [...new Set(pairs.flat())];
      const file = {
        troupe: 1,
        name: "x",
        nodes: used.map((id) => ({ id, agent: "actor" })),
        edges: pairs.map(([from, to]) => ({ from, to })),
        defaults: { aggregator: "aggregator" },
      };
      const reach = (from: number, seen: Set<number>): Set<number> => {
        for (const [u, v] of pairs) if (u === from && !seen.has(v)) reach(v, seen.add(v));
        return seen;
      };
      const hasCycle = used.some((node) => reach(node, new Set()).has(node));
      if (!hasCycle) return void bundleTopology({ file, cards });
      for (const { message } of thrownBy(() => bundleTopology({ file, cards })).problems) {
        const nodes = message
          .replace(/^.*circle: /, "")
          .replace(/ \(edges\[\d+\]\)/g, "")
          .split(" -> ")
          .map(Number);
        expect(nodes[0]).toBe(nodes.at(-1));
        for (const [i, to] of nodes.slice(1).entries()) expect(pairs).toContainEqual([nodes[i], to]);
      }
    }),
  );
});

it("compileTopology() holds a mesh of 1,400 nodes in lean edges", () => {
  const graph = graphOf({ shape: { kind: "mesh", size: 1400 } });
  expect(graph.edges).toHaveLength(979_300);
  expect(graph.nodes.at(-1)).toMatchObject({ depth: 1399, height: 0 });
  expect(Object.keys(graph.edges[0] ?? {})).toEqual(["index", "from", "to", "rule"]);
  expect(new Set(graph.edges.map(({ rule }) => rule)).size).toBe(1);
});

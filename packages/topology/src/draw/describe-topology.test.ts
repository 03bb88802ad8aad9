import { expect, it } from "vitest";
import { cards, graphOf } from "../../test/fixtures.ts";
import { bundleTopology } from "../load/bundle-topology.ts";
import { boundOfCalls, describeTopology } from "./describe-topology.ts";
import { toGraphology } from "./graph-model.ts";
import { measureTopology } from "./measure-topology.ts";

it("describeTopology() tells tree, measures, agents, limits and bounds", () => {
  const graph = graphOf({
    nodes: [{ id: "plan" }, { id: "code" }, { id: "test", agent: "tester" }, { id: "docs" }],
    edges: ["plan -> [code, docs]", "code -> test", { from: "plan", to: "test", critic: "none" }],
    limits: { tokens: 200_000, calls: 9 },
  });
  expect(describeTopology(graph)).toMatchInlineSnapshot(`
    "test (director: graph)
      plan programmer
      ├─ code programmer
      │  └─ test tester  ← also plan
      └─ docs programmer
      graph    4 nodes, 4 edges (67 % of a mesh), depth 2, width 2, 1 source, 2 sinks
      agents   programmer: actor, model default, 4 turns, on 3 nodes
               tester: actor, model default, 2 turns, on 1 node
               reviewer: critic, model default, 4 turns, on 3 edges
               merger: aggregator, model default, 4 turns, for up to 2 merges of up to 4
      limits   tokens 200,000, calls 9
      at most  13 activations, 48 model calls"
  `);
});

it("describeTopology() leaves the tree out when it is large, and tells a list in one line", () => {
  expect(describeTopology(graphOf({ shape: { kind: "mesh", size: 31 } })).split("\n")).toHaveLength(7);
  const file = { troupe: 1, name: "list", director: "fixed", agents: ["actor", "tester", "actor"] };
  const { graph } = bundleTopology({ file, cards });
  expect(describeTopology(graph)).toContain("programmer → tester → programmer");
  expect(boundOfCalls(graph)).toBe(10);
});

it.each([
  [
    { kind: "chain", size: 4 },
    { nodes: 4, edges: 3, density: 0.5, depth: 3, width: 1, sources: 1, sinks: 1 },
  ],
  [
    { kind: "star", size: 5 },
    { nodes: 5, edges: 4, density: 0.4, depth: 1, width: 4, sources: 1, sinks: 4 },
  ],
  [
    { kind: "mesh", size: 6 },
    { nodes: 6, edges: 15, density: 1, depth: 5, width: 1, sources: 1, sinks: 1 },
  ],
  [
    { kind: "layer", size: 9 },
    { nodes: 9, edges: 18, density: 0.5, depth: 2, width: 3, sources: 3, sinks: 3 },
  ],
  [
    { kind: "tree", size: 1 },
    { nodes: 1, edges: 0, density: 0, depth: 0, width: 1, sources: 1, sinks: 1 },
  ],
])("measureTopology() measures %j", (shape, measures) => {
  expect(measureTopology(graphOf({ shape }))).toEqual(measures);
});

it("toGraphology() gives nodes and edges with what is known of them", () => {
  const model = toGraphology(graphOf({ shape: { kind: "star", size: 3 } }));
  expect([model.order, model.size]).toEqual([3, 2]);
  expect(model.getNodeAttributes(2)).toEqual({ label: "3", agent: "programmer", depth: 1 });
  expect(model.getEdgeAttributes(0, 2)).toEqual({ note: "reviewer" });
});

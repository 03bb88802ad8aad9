import { expect, it } from "vitest";
import { cards } from "../../test/fixtures.ts";
import type { CompiledGraph } from "../compiled-topology.ts";
import { bundleTopology } from "../load/bundle-topology.ts";
import { compileTopology } from "./compile-topology.ts";

const names = ["ada", "bob", "cleo", "dan", "eve"];
const pool = { pool: 1, name: "five", profiles: names.map((name) => ({ name, text: `You are ${name}.` })) };
const defaults = { actor: "actor", critic: "critic", aggregator: "aggregator" };

/** Compiles a graph whose agents draw from a pool of five. */
function drawn(profiles: Record<string, unknown>, file: Record<string, unknown> = { shape: { kind: "chain", size: 12 } }): CompiledGraph {
  const whole = { troupe: 1, name: "test", ...file, defaults: { ...defaults, profiles } };
  const { graph, bundle } = bundleTopology({ file: whole, cards, profiles: { five: pool } });
  expect(compileTopology(bundle)).toEqual(graph);
  if (graph.director !== "graph") throw new Error("not a graph");
  return graph;
}

const actors = ({ nodes }: CompiledGraph) => nodes.map(({ profile }) => profile?.name);
const critics = ({ edges }: CompiledGraph) => edges.map(({ rule }) => rule.profile?.name);

it("drawProfiles() uses the whole pool up before anybody comes again", () => {
  const deal = actors(drawn({ actor: "five" }));
  expect(new Set(deal.slice(0, 5))).toEqual(new Set(names));
  expect(new Set(deal.slice(5, 10))).toEqual(new Set(names));
  expect(deal.slice(0, 5)).not.toEqual(deal.slice(5, 10));
});

it("drawProfiles() depends on the seed alone: the first agents of a larger graph have the profiles they had", () => {
  const small = actors(drawn({ actor: "five" }, { shape: { kind: "mesh", size: 4 } }));
  expect(actors(drawn({ actor: "five", seed: 0 })).slice(0, 4)).toEqual(small);
  expect(actors(drawn({ actor: "five", seed: 1 }))).not.toEqual(actors(drawn({ actor: "five" })));
});

it("drawProfiles() draws for critics only where there is one, and otherwise than for actors", () => {
  const edges = ["a -> [b, c, d]", { from: "b", to: "d", critic: "none" }, "c -> d"];
  const graph = drawn({ actor: "five", critic: "five" }, { nodes: ["a", "b", "c", "d"].map((id) => ({ id })), edges });
  expect(critics(graph)[3]).toBeUndefined();
  const others = critics(graph).filter((name) => name !== undefined);
  expect(others).toHaveLength(4);
  expect(new Set(others).size).toBe(4);
  expect(others).not.toEqual(actors(graph));
});

it("drawProfiles() gives nobody a profile unless a pool is named for it", () => {
  const graph = drawn({ critic: "five" });
  expect(new Set(actors(graph))).toEqual(new Set([undefined]));
  expect(critics(graph)).not.toContain(undefined);
  expect(Object.isFrozen(graph.edges[0]?.rule.profile)).toBe(true);
});

it.each<[Record<string, unknown>, string]>([
  [{ defaults: { ...defaults, profiles: {} } }, "nobody gets a profile"],
  [{ defaults: { ...defaults, critic: "none", profiles: { critic: "five" } } }, "no critic gets a profile: no edge has a critic"],
])("checkPools() warns of a choice without effect: %j", (file, message) => {
  const whole = { troupe: 1, name: "test", shape: { kind: "chain", size: 2 }, ...file };
  expect(bundleTopology({ file: whole, cards, profiles: { five: pool } }).warnings).toMatchObject([{ message, severity: "warning" }]);
});

it("checkPools() knows that a critic may stand in a graph inside a node", () => {
  const inner = { nodes: [{ id: "x" }, { id: "y" }], edges: [{ from: "x", to: "y", critic: "critic" }] };
  const nodes = [{ id: "a", loop: { graph: inner, times: 2 } }];
  const file = { troupe: 1, name: "test", nodes, defaults: { actor: "actor", profiles: { critic: "five" } } };
  expect(bundleTopology({ file, cards, profiles: { five: pool } }).warnings).toEqual([]);
});

it("checkPools() warns that a fixed director has no use for profiles", () => {
  const file = { troupe: 1, name: "list", director: "fixed", agents: ["actor"], defaults: { profiles: { actor: "five" } } };
  const { warnings } = bundleTopology({ file, cards, profiles: { five: pool } });
  expect(warnings).toMatchObject([{ message: "`profiles` means nothing to the fixed director" }]);
});

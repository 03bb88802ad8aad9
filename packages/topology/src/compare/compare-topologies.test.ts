import { topologyBundle } from "@troupe/schema";
import { describe, expect, it } from "vitest";
import { bundleTopology, compareTopologies, describeChanges } from "../index.ts";

const card = (name: string, kind: string, more: object = {}) => ({ agent: 1, name, kind, instructions: "Work.", ...more });
const cards = { actor: card("programmer", "actor"), critic: card("reviewer", "critic"), other: card("tester", "critic") };
const chain = {
  troupe: 1,
  name: "chain",
  shape: { kind: "chain", size: 3 },
  defaults: { actor: "actor", critic: "critic", rounds: 1, temperature: 0.2 },
  limits: { tokens: 1000 },
};

const compiled = (file: object, more: object = {}) =>
  bundleTopology(topologyBundle.parse({ file: { ...chain, ...file }, cards: { ...cards, ...more } })).graph;
const compare = (file: object, more: object = {}) => compareTopologies(compiled({}), compiled(file, more));
const says = (file: object, more: object = {}) => describeChanges(compare(file, more));
const isStructural = (file: object, more: object = {}) => compare(file, more).some(({ structural }) => structural);

describe("compareTopologies()", () => {
  it.each([
    ["another name and description", { name: "other", description: "for people" }, {}],
    ["other words for the same graph", { shape: undefined, nodes: [1, 2, 3].map((id) => ({ id })), edges: ["1 -> 2 -> 3"] }, {}],
    ["another description of an agent", {}, { actor: card("programmer", "actor", { description: "codes" }) }],
    ["a card that nobody uses", {}, { spare: card("spare", "actor") }],
  ])("finds no difference in %s", (_what, file, more) => {
    expect(compare(file, more)).toEqual([]);
  });

  it.each([
    ["a limit", { limits: { tokens: 2000, calls: 9 } }, {}, ["limits: tokens 1000 → 2000", "limits: calls none → 9"]],
    ["no limit", { limits: undefined }, {}, ["limits: tokens 1000 → none"]],
    [
      "instructions and model of an agent",
      {},
      { critic: card("reviewer", "critic", { model: "big", instructions: "Judge it by every line of the task, one after another." }) },
      ["agent reviewer: model default → big", "agent reviewer: other instructions"],
    ],
    ["rounds", { edges: [{ from: 2, to: 3, rounds: 3 }] }, {}, ["edge 2→3: rounds 1 → 3"]],
    ["another critic", { edges: [{ from: 2, to: 3, critic: "other" }] }, {}, ["edge 2→3: critic reviewer → tester"]],
    ["the model of a node", { nodes: [{ id: 2, model: "big" }] }, {}, ["node 2: model none → big"]],
    ["a temperature", { defaults: { ...chain.defaults, temperature: 0.7 } }, {}, ["nodes 1, 2 and 3: temperature 0.2 → 0.7"]],
  ])("calls %s a setting", (_what, file, more, words) => {
    expect(says(file, more)).toEqual(expect.arrayContaining(words));
    expect(isStructural(file, more)).toBe(false);
  });

  it.each([
    ["a new node", { shape: { kind: "chain", size: 4 } }, ["node 4 is new", "edge 3→4 is new"]],
    ["a node that is gone", { shape: { kind: "chain", size: 2 } }, ["node 3 is gone", "edge 2→3 is gone"]],
    [
      "many new ones",
      { shape: { kind: "chain", size: 9 } },
      ["nodes 4, 5, 6 and 3 more are new", "edges 3→4, 4→5, 5→6 and 3 more are new"],
    ],
    ["another director", { director: "fixed", shape: undefined, agents: ["actor"] }, ["director graph → fixed"]],
  ])("calls %s another graph", (_what, file, words) => {
    expect(says(file)).toEqual(expect.arrayContaining(words));
    expect(isStructural(file)).toBe(true);
  });

  it("looks into the graphs of nodes", () => {
    const inner = (size: number, rounds: number) => ({
      shape: undefined,
      nodes: [{ id: "draft" }, { id: "polish", graph: { shape: { kind: "chain", size }, edges: [{ from: 1, to: 2, rounds }] } }],
      edges: ["draft -> polish"],
    });
    const before = compiled(inner(2, 1));
    const change = (file: object) => describeChanges(compareTopologies(before, compiled(file)));
    expect(change(inner(2, 1))).toEqual([]);
    expect(change(inner(2, 3))).toEqual(["edge polish/1→2: rounds 1 → 3"]);
    expect(change(inner(3, 1))).toEqual(["node polish/3 is new", "edge polish/2→3 is new"]);
  });

  it("calls a condition, and what a node does, another graph", () => {
    const with2 = (node: object, edge: object) => ({ nodes: [{ id: 2, ...node }], edges: [{ from: 2, to: 3, ...edge }] });
    const changes = compareTopologies(compiled({}), compiled(with2({ pass: true }, { when: "round < 3" })));
    expect(changes.filter(({ structural }) => structural).map(({ name, field }) => [name, field])).toEqual(
      expect.arrayContaining([
        ["2", "work"],
        ["2→3", "when"],
      ]),
    );
  });

  it("calls another list of a fixed director another graph", () => {
    const fixed = { director: "fixed", shape: undefined, defaults: undefined, agents: ["actor"] };
    const [longer, ...others] = compareTopologies(compiled(fixed), compiled({ ...fixed, agents: ["actor", "actor"] }));
    expect(longer).toMatchObject({ thing: "topology", field: "sequence", structural: true });
    expect(others).toMatchObject([{ field: "temperatures", structural: false }]);
  });
});

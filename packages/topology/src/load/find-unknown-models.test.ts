import { describe, expect, it } from "vitest";
import { cards, thrownBy } from "../../test/fixtures.ts";
import { bundleTopology } from "./bundle-topology.ts";

const models = ["default", "large"];
const chain = { kind: "chain", size: 3 };
const every = { actor: "actor", critic: "critic", aggregator: "aggregator" };
/** The cards with models of their own that nobody declares. */
const odd = {
  actor: { ...cards.actor, model: "m-actor" },
  critic: { ...cards.critic, model: "m-critic" },
  aggregator: { ...cards.aggregator, model: "m-aggregator" },
};

function unknownIn(file: object, used: Record<string, unknown> = cards): string[] {
  try {
    bundleTopology({ file: { troupe: 1, name: "x", ...file }, cards: used }, { models });
    return [];
  } catch (error) {
    const { problems } = thrownBy(() => {
      throw error;
    });
    return problems.map(({ file: place, excerpt, message }) => `${place}${excerpt.replace("  at ", " ")}: ${message}`);
  }
}

describe("findUnknownModels()", () => {
  it.each<[string, object, string[]]>([
    ["defaults", { shape: chain, defaults: { ...every, model: "larg" } }, ["topology defaults.model"]],
    ["a node", { shape: chain, nodes: [{ id: 2, model: "larg" }], defaults: every }, ["topology nodes[0].model"]],
    ["an edge", { shape: chain, edges: [{ from: 1, to: 2, model: "larg" }], defaults: every }, ["topology edges[0].model"]],
    ["limits", { shape: chain, defaults: every, limits: { models: { larg: { parallel: 1 } } } }, ["topology limits.models.larg"]],
    ["a list's defaults", { director: "fixed", agents: ["actor"], defaults: { model: "larg" } }, ["topology defaults.model"]],
  ])("finds the model of %s", (_, file, places) => {
    expect(unknownIn(file)).toEqual(places.map((place) => `${place}: no model is declared as "larg"`));
  });

  it.each<[string, object, string[]]>([
    ["of nodes and edges", { shape: chain, defaults: { actor: "actor", critic: "critic" } }, ["actor", "critic"]],
    ["of written nodes and edges", { nodes: [{ id: "a" }, { id: "b" }], edges: ["a -> b"], defaults: every }, ["actor", "critic"]],
    ["of an aggregator that merges", { shape: { kind: "star", size: 3 }, defaults: every }, ["actor", "critic", "aggregator"]],
    ["of a list", { director: "fixed", agents: ["actor", "actor"] }, ["actor"]],
    ["but not of an aggregator that has nothing to merge", { shape: chain, defaults: { ...every, critic: "none" } }, ["actor"]],
    ["but not of a critic that never judges", { shape: chain, defaults: { ...every, rounds: 0 } }, ["actor"]],
    ["but not where the topology names another", { shape: { kind: "star", size: 3 }, defaults: { ...every, model: "large" } }, []],
    [
      "but not where all nodes and edges name another",
      {
        nodes: [
          { id: "a", model: "large" },
          { id: "b", model: "default" },
        ],
        edges: [{ from: "a", to: "b", model: "large" }],
        defaults: { ...every },
      },
      [],
    ],
  ])("finds the models of cards %s", (_, file, names) => {
    const errors = unknownIn(file, odd).filter((text) => text.includes("no model"));
    expect(errors).toEqual(names.map((name) => `${name} model: no model is declared as "m-${name}"`));
  });

  it("says what there is and what was meant, and has a code of its own when nothing else is wrong", () => {
    const load = (file: object) =>
      thrownBy(() => bundleTopology({ file: { troupe: 1, name: "x", shape: chain, ...file }, cards }, { models }));
    const error = load({ defaults: { ...every, model: "larg" } });
    expect(error).toMatchObject({
      code: "model_unknown",
      problems: [
        {
          code: "model_unknown",
          expected: 'one of "default", "large", or a further entry under `models:` in troupe.yaml',
          hint: 'did you mean "large"?',
        },
      ],
    });
    const more = load({ nodes: [{ id: 9 }], defaults: { ...every, model: "larg" } });
    expect([more.code, more.problems.length]).toEqual(["file_invalid", 2]);
  });

  it("takes any model when nobody says which there are", () => {
    const file = { troupe: 1, name: "x", shape: chain, defaults: { ...every, model: "larg" } };
    expect(bundleTopology({ file, cards }).warnings).toEqual([]);
  });
});

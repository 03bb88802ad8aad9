import { expect, it } from "vitest";
import { experimentFile } from "./experiment-file.ts";
import { countVariants, variantsOf, variedFields } from "./variation.ts";

const net = { name: "net", topology: "mesh.yaml" };

it("variantsOf() makes one system for each combination, the last field changing fastest, in the order of the fields and not of the file", () => {
  const vary = { "shape.size": [1, 2], "shape.kind": ["chain", "mesh"] };
  expect(variantsOf({ ...net, vary })).toEqual([
    { name: "net-chain-1", values: { "shape.kind": "chain", "shape.size": 1 } },
    { name: "net-chain-2", values: { "shape.kind": "chain", "shape.size": 2 } },
    { name: "net-mesh-1", values: { "shape.kind": "mesh", "shape.size": 1 } },
    { name: "net-mesh-2", values: { "shape.kind": "mesh", "shape.size": 2 } },
  ]);
  expect([countVariants(vary), variedFields(vary).map(([field]) => field)]).toEqual([4, ["shape.kind", "shape.size"]]);
});

it("variantsOf() is the system itself when nothing is varied", () => {
  expect(variantsOf({ topology: "topologies/a.yaml" })).toEqual([{ name: "topologies/a.yaml", values: {} }]);
});

it("variantsOf() names cards by their file, and keeps what a name needs of other values", () => {
  const vary = { "defaults.critic": ["none", "agents/strict.yaml"], "defaults.temperature": [0.5], "defaults.model": ["a b"] };
  expect(variantsOf({ ...net, vary }).map(({ name }) => name)).toEqual(["net-none-a-b-0.5", "net-strict-a-b-0.5"]);
});

it("experimentFile keeps what is varied, and refuses what is no field or no value of one", () => {
  const parse = (vary: unknown) =>
    experimentFile.safeParse({ experiment: 1, name: "x", tasks: { set: "s" }, systems: [{ ...net, vary }] }).success;
  expect(parse({ "shape.kind": ["chain", "star", "tree", "mesh", "layer", "random"], "shape.size": [1, 64] })).toBe(true);
  for (const wrong of [{ "shape.kid": ["chain"] }, { "shape.kind": ["ring"] }, { "shape.size": [0] }, { "shape.size": [] }, { size: [1] }])
    expect(parse(wrong)).toBe(false);
});

import { expect, it } from "vitest";
import { cards, thrownBy } from "../../test/fixtures.ts";
import { bundleTopology, parseTopology } from "./bundle-topology.ts";

it("bundleTopology() checks plain objects and names the path of each problem", () => {
  const file = { troupe: 1, name: "x", nodes: [{ id: "a", agent: "actor" }], edges: [{ from: "a" }] };
  const error = thrownBy(() => bundleTopology({ file, cards: { ...cards, bad: { agent: 1 } } }));
  expect(error.code).toBe("file_invalid");
  expect(error.problems.map(({ file: name, message, excerpt }) => `${name}: ${message}${excerpt}`)).toEqual([
    'topology: "to" is missing in edges[0]  at edges[0].to',
    'bad: "name" is missing  at name',
    'bad: "kind" is missing  at kind',
    'bad: "instructions" is missing  at instructions',
  ]);
});

it.each([
  [undefined],
  [null],
  ["text"],
  [[]],
  [() => 1],
  [{ troupe: 1, name: "x", nodes: () => 1 }],
  [{ troupe: 1, name: "x", ["__proto__"]: 1 }],
])("bundleTopology() refuses %j", (file) => {
  expect(thrownBy(() => bundleTopology({ file, cards })).code).toBe("file_invalid");
});

it("bundleTopology() takes no card from an object's prototype", () => {
  const file = { troupe: 1, name: "x", nodes: [{ id: "a", agent: "constructor" }] };
  expect(thrownBy(() => bundleTopology({ file, cards })).problems).toMatchObject([{ message: 'there is no card "constructor"' }]);
});

it("parseTopology() locates problems in the text", () => {
  const text = "troupe: 1\nname: x\nnodes: [{ id: a, agent: nobody }]\n";
  expect(thrownBy(() => parseTopology({ path: "inline.yaml", text }, cards)).problems).toMatchObject([
    { file: "inline.yaml", line: 3, column: 25, message: 'there is no card "nobody"' },
  ]);
});

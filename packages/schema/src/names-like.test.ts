import { expect, it } from "vitest";
import { namesLike } from "./names-like.ts";

const names = ["single", "net-chain-4", "net-mesh-4", "net-mesh-8", "a.b/c.yaml"];

it("namesLike() finds names by a pattern, in their order", () => {
  expect(namesLike("net-*-4", names)).toEqual(["net-chain-4", "net-mesh-4"]);
  expect(namesLike("*-mesh-*", names)).toEqual(["net-mesh-4", "net-mesh-8"]);
  expect(namesLike("single*", names)).toEqual(["single"]);
  expect(namesLike("**", names)).toEqual(names);
  expect(namesLike("*4", names)).toEqual(["net-chain-4", "net-mesh-4"]);
});

it("namesLike() takes every letter but `*` as it is, and a name as a whole", () => {
  expect(namesLike("a.b/c.yaml", names)).toEqual(["a.b/c.yaml"]);
  expect(namesLike("a?b/c.yaml", names)).toEqual([]);
  expect(namesLike("a.b/c[.]yaml", names)).toEqual([]);
  expect(namesLike("net", names)).toEqual([]);
  expect(namesLike("", names)).toEqual([]);
});

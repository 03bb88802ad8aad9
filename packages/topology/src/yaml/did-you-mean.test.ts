import fc from "fast-check";
import { expect, it } from "vitest";
import { didYouMean, editDistance, nearest } from "./did-you-mean.ts";

it.each([
  ["grpah", "graph"],
  ["Critic", "critic"],
  ["programer", "programmer"],
  ["ronuds", "rounds"],
])("nearest() takes %s for %s", (word, meant) => {
  expect(nearest(word, ["model", "graph", "critic", "programmer", "rounds", "id"])).toBe(meant);
});

it("nearest() has nothing to say of far words and of numbers", () => {
  expect(nearest("banana", ["graph", "critic"])).toBeUndefined();
  expect(nearest("12", ["13", "14"])).toBeUndefined();
  expect(didYouMean("x", ["y"])).toEqual({});
});

it("editDistance() counts edits, a swap as one", () => {
  expect(editDistance("", "abc")).toBe(3);
  expect(editDistance("abcd", "abdc")).toBe(1);
  expect(editDistance("kitten", "sitting")).toBe(3);
});

it("editDistance() is symmetric, 0 only for equal words, and at most the longer one", () => {
  const word = fc.string({ maxLength: 12 });
  fc.assert(
    fc.property(word, word, (a, b) => {
      const distance = editDistance(a, b);
      expect(editDistance(b, a)).toBe(distance);
      expect(distance === 0).toBe(a === b);
      expect(distance).toBeLessThanOrEqual(Math.max(a.length, b.length));
    }),
  );
});

import fc from "fast-check";
import { expect, it } from "vitest";
import { mergeTree } from "./merge-tree.ts";

it("mergeTree() takes ⌈(k − 1) / (g − 1)⌉ merges, and every place goes into exactly one of them but the last outcome", () => {
  fc.assert(
    fc.property(fc.integer({ min: 1, max: 300 }), fc.integer({ min: 2, max: 9 }), (candidates, groupSize) => {
      const merges = mergeTree(candidates, groupSize);
      expect(merges.length).toBe(Math.ceil((candidates - 1) / (groupSize - 1)));
      const inputs = merges.flat().sort((a, b) => a - b);
      expect(inputs).toEqual(
        Array.from({ length: Math.max(0, candidates + merges.length - 1) }, (_, place) => place).slice(0, inputs.length),
      );
      expect(inputs.length).toBe(merges.length === 0 ? 0 : candidates + merges.length - 1);
      for (const [index, merge] of merges.entries()) {
        expect(merge.length).toBeGreaterThanOrEqual(2);
        expect(merge.length).toBeLessThanOrEqual(groupSize);
        for (const place of merge) expect(place).toBeLessThan(candidates + index);
      }
    }),
  );
});

it("mergeTree() of 16 by 4 is two flat levels", () => {
  expect(mergeTree(16, 4)).toEqual([
    [0, 1, 2, 3],
    [4, 5, 6, 7],
    [8, 9, 10, 11],
    [12, 13, 14, 15],
    [16, 17, 18, 19],
  ]);
});

import { expect, it } from "vitest";
import { invertMatrix, solveSymmetric } from "./linear-algebra.ts";

it("solveSymmetric() and invertMatrix() solve what can be solved, also where a pivot is 0", () => {
  expect(
    solveSymmetric(
      [
        [2, 1],
        [1, 3],
      ],
      [3, 5],
    )?.map((value) => Number(value.toFixed(12))),
  ).toEqual([0.8, 1.4]);
  expect(
    invertMatrix([
      [2, 1],
      [1, 1],
    ]),
  ).toEqual([
    [1, -1],
    [-1, 2],
  ]);
  expect(
    solveSymmetric(
      [
        [1, 2],
        [2, 4],
      ],
      [1, 2],
    ),
  ).toBeUndefined();
  expect(
    invertMatrix([
      [0, 0],
      [0, 1],
    ]),
  ).toBeUndefined();
  expect(
    solveSymmetric(
      [
        [1, 1, 0],
        [1, 1, 1],
        [0, 1, 1],
      ],
      [2, 3, 2],
    )?.map((value) => Number(value.toFixed(12))),
  ).toEqual([1, 1, 1]);
});

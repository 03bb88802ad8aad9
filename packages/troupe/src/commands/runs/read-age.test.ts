import { expect, it } from "vitest";
import { readAge } from "./read-age.ts";

it.each([
  ["90m", 5_400_000],
  ["12h", 43_200_000],
  ["30d", 2_592_000_000],
  ["1.5w", 907_200_000],
  ["0d", 0],
])("readAge() takes %s", (word, milliseconds) => expect(readAge(word)).toBe(milliseconds));

it.each(["", "30", "d", "-1d", "1y", "30 days", "1e3d", "9999999999d"])("readAge() refuses %j and says what it takes", (word) =>
  expect(() => readAge(word)).toThrow("12h, 30d"),
);

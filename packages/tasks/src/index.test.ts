import { expect, test } from "vitest";
import * as tasks from "./index.ts";

test("index.ts exports these names", () => {
  expect(Object.keys(tasks).sort()).toEqual([
    "asFiles",
    "builtinSets",
    "comparePaired",
    "exactMcNemar",
    "formatPassTable",
    "gradeProduct",
    "loadTasks",
    "passTable",
    "sameAnswer",
    "wilson",
  ]);
});

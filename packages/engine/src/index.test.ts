import { expect, test } from "vitest";
import * as engine from "./index.ts";

test("@troupe/engine exports these names", () => {
  expect(Object.keys(engine).sort()).toEqual([
    "callKey",
    "createMemoryStore",
    "createNullStore",
    "createRunState",
    "createVirtualClock",
    "executeRun",
    "foldLog",
    "isSettled",
    "resumeRun",
  ]);
});

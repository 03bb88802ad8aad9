import { expect, it } from "vitest";
import * as topology from "./index.ts";

it("the package exports what it promises", () => {
  expect(Object.keys(topology).sort()).toEqual([
    "boundOfCalls",
    "bundleTopology",
    "checkFile",
    "compileTopology",
    "describeTopology",
    "drawTopology",
    "loadTopology",
    "measureTopology",
    "nodeFiles",
    "parseTopology",
    "readYaml",
    "toGraphology",
  ]);
});

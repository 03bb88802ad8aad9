import { expect, test } from "vitest";
import { modelDir } from "./model-dir.ts";

test("modelDir() is a folder of the platform's data folder", () => {
  expect(modelDir({}, "linux", "/home/ada")).toBe("/home/ada/.local/share/troupe/models");
  expect(modelDir({ TROUPE_HOME: "/srv/troupe" }, "linux", "/home/ada")).toBe("/srv/troupe/models");
});

test("modelDir() is absolute also when TROUPE_HOME is not", () => {
  expect(modelDir({ TROUPE_HOME: "here" }, "linux", "/home/ada")).toBe(`${process.cwd()}/here/models`);
});

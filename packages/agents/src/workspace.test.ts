import fc from "fast-check";
import { isWorkspacePath } from "@troupe/schema";
import { describe, expect, it } from "vitest";
import { toFiles } from "../test/scripted-context.ts";
import { sameTree, Workspace } from "./workspace.ts";

const empty = { files: [], tests: [] };

describe("Workspace", () => {
  it("is laid out from the task's files and the artifact over them", () => {
    const workspace = new Workspace({ files: toFiles({ "a.txt": "1", "b.txt": "1" }), tests: [] }, toFiles({ "b.txt": "2" }));
    expect(workspace.tree()).toEqual(toFiles({ "a.txt": "1", "b.txt": "2" }));
  });

  it("lets the task's tests be read, but neither changed nor taken along", () => {
    const workspace = new Workspace(
      { files: [], tests: toFiles({ "test_a.py": "given" }) },
      toFiles({ "test_a.py": "forged", "a.py": "" }),
    );
    expect(workspace.write("test_a.py", "forged")).toContain("can't be changed");
    expect(workspace.read("test_a.py")?.content).toBe("given");
    expect(workspace.tree()).toEqual(toFiles({ "a.py": "" }));
  });

  it("goes back to a tree", () => {
    const workspace = new Workspace(empty, []);
    workspace.write("a.py", "1");
    const before = workspace.tree();
    workspace.write("b.py", "2");
    workspace.reset(before);
    expect(workspace.tree()).toEqual(before);
  });

  it("refuses what is too much", () => {
    const workspace = new Workspace(empty, []);
    expect(workspace.write("a.txt", "x".repeat(400_001))).toContain("longer than 400000");
    for (let index = 0; index < 20; index++) expect(workspace.write(`${index}.txt`, "x".repeat(400_000))).toBeUndefined();
    expect(workspace.write("more.txt", "x".repeat(400_000))).toContain("all files together");
    for (let index = 20; index < 500; index++) expect(workspace.write(`${index}.txt`, "")).toBeUndefined();
    expect(workspace.write("more.txt", "")).toContain("500 files");
    expect(workspace.write("0.txt", "")).toBeUndefined();
  });

  it("holds no path outside, and none that is a file and a folder, whatever is written", () => {
    const part = fc.constantFrom("a", "b", "..", ".", "", "C:", "a\\b", "\0", "c.py");
    const path = fc.array(part, { minLength: 1, maxLength: 4 }).map((parts) => parts.join("/"));
    fc.assert(
      fc.property(fc.array(path, { maxLength: 20 }), (paths) => {
        const workspace = new Workspace(empty, []);
        for (const one of paths) workspace.write(one, "");
        const held = workspace.tree().map((file) => file.path);
        return held.every((one) => isWorkspacePath(one) && !held.some((other) => other.startsWith(`${one}/`)));
      }),
    );
  });
});

describe("sameTree()", () => {
  it("compares paths and contents, not white space at the ends", () => {
    expect(sameTree(toFiles({ "a.py": "x\n" }), toFiles({ "a.py": "x" }))).toBe(true);
    expect(sameTree(toFiles({ "a.py": "x" }), toFiles({ "b.py": "x" }))).toBe(false);
    expect(sameTree(toFiles({ "a.py": "x" }), toFiles({ "a.py": "x", "b.py": "" }))).toBe(false);
  });
});

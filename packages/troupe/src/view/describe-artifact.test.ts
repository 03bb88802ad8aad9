import { describe, expect, it } from "vitest";
import { filesOf } from "../../test/sample-run.ts";
import { describeArtifact } from "./describe-artifact.ts";

describe("describeArtifact()", () => {
  const tree = { "a.py": "1", "b.py": "2", "c.py": "3" };

  it("lists the files of a new tree, some of many", () => {
    expect(describeArtifact(filesOf(tree))).toBe("a.py, b.py, c.py");
    expect(describeArtifact(filesOf({ ...tree, d: "", e: "", f: "" }))).toBe("a.py, b.py, c.py, d and 2 more files");
    expect(describeArtifact(filesOf({}))).toBe("no files");
  });

  it("says what changed in a tree", () => {
    expect(describeArtifact(filesOf({ "a.py": "1", "b.py": "x", "d.py": "" }), filesOf(tree))).toBe(
      "changed b.py; added d.py; removed c.py",
    );
    expect(describeArtifact(filesOf(tree), filesOf(tree))).toBe("unchanged: a.py, b.py, c.py");
  });

  it.each([
    ["a verdict", { kind: "json", value: { verdict: "revise", critique: "No\ntests." } }, "revise: No tests."],
    ["other JSON", { kind: "json", value: { a: 1 } }, '{"a":1}'],
    ["a choice", { kind: "choice", choice: "B", reason: "because" }, "B: because"],
    ["a text", { kind: "text", text: "one\ntwo\x1b[2J" }, "one two"],
  ] as const)("shows %s", (_name, artifact, words) => expect(describeArtifact(artifact)).toBe(words));

  it("clips what is long", () => expect(describeArtifact({ kind: "text", text: "x".repeat(5000) })).toBe(`${"x".repeat(160)}…`));
});

import { describe, expect, it } from "vitest";
import { program } from "../../test/run-log.ts";
import { changedLines } from "./changed-lines.ts";
import { namedWords } from "./named-words.ts";

describe("namedWords()", () => {
  it.each([
    ["Rename `add_item` to `addItem` and call save().", ["add_item", "addItem", "save"]],
    ['Print "Nothing to do" when the list is empty.', ["Nothing to do"]],
    ["Use 'utf-8', don't guess; it's the user's file.", ["utf-8"]],
    ["Split main.py: move parseArgs to args.ts", ["main.py", "parseArgs", "args.ts"]],
    ["It is fine. Add tests for a negative number.", []],
    ["`x` is too short to mean anything", []],
  ])("finds what %j names", (critique, words) => expect(namedWords(critique).sort()).toEqual([...words].sort()));

  it("reads long text in time", () => {
    expect(namedWords("'".repeat(50_000)).length).toBeLessThan(50_000);
    expect(namedWords("a".repeat(50_000)).length).toBe(0);
    expect(namedWords("a_".repeat(50_000)).length).toBe(1);
  });
});

describe("changedLines()", () => {
  it("gives what was put in and what was taken out, whatever moved", () => {
    const before = program("import os\nx = 1\nx = 1\n", { "b.py": "y = 2\n" });
    const after = program("x = 1\nimport os\nz = 3\n");
    expect(changedLines(before, after).sort()).toEqual(["", "x = 1", "y = 2", "z = 3"]);
    expect(changedLines(before, before)).toEqual([]);
  });
});

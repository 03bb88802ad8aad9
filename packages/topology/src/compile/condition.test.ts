import { describe, expect, it } from "vitest";
import type { Artifact } from "@troupe/schema";
import { compileCondition, type ConditionScope } from "./condition.ts";

const json: Artifact = { kind: "json", value: { score: 7, items: [1, 2], name: "a" } };
const scope = (artifact: Artifact, more: Partial<ConditionScope> = {}): ConditionScope => ({
  artifact,
  round: 2,
  tokens: 900,
  calls: 4,
  ...more,
});

function holds(text: string, artifact: Artifact): boolean {
  const condition = compileCondition(text);
  if (!("holds" in condition)) throw new Error(condition.message);
  return condition.holds(scope(artifact));
}

describe("compileCondition()", () => {
  it.each([
    ["artifact.json.score >= 7", json, true],
    ["artifact.json.score > 7.5", json, false],
    ["artifact.json.items.exists(i, i > 1)", json, true],
    ["has(artifact.json.missing)", json, false],
    ["artifact.kind == 'text' && artifact.text.contains('done')", { kind: "text", text: "all done" }, true],
    ["artifact.choice == 'yes'", { kind: "choice", choice: "no" }, false],
    [
      "'main.py' in artifact.files && artifact.files['main.py'].contains('print')",
      { kind: "files", files: [{ path: "main.py", encoding: "utf8", content: "print(1)" }] },
      true,
    ],
    ["round == 2 && tokens < 1000 && calls >= 4", json, true],
    ["artifact.bytes > 100000", json, false],
    ["artifact.text == ''", json, true],
  ] as [string, Artifact, boolean][])("decides %s", (text, artifact, expected) => {
    expect(holds(text, artifact)).toBe(expected);
  });

  it.each([
    ["artifact.kinds == 'x'", "no such key: kinds", "kinds"],
    ["rounds < 3", "unknown variable: rounds", "rounds"],
    ["artifact.text", "it gives string, not true or false", "artifact.text"],
    ["artifact.text.matches('(a+)+$')", "`matches` is not available: a pattern can take for ever", "artifact.text.matches('(a+)+$')"],
    ["process.exit(1)", "unknown variable: process", "process"],
  ])("says what is wrong with %s, and where", (text, message, place) => {
    const fault = compileCondition(text);
    if ("holds" in fault) throw new Error("it was taken");
    expect(fault.message).toBe(message);
    expect(text.slice(fault.offset, fault.offset + fault.length)).toBe(place);
  });

  it("refuses expressions of any size, and half ones", () => {
    expect(compileCondition(`${"(".repeat(100)}true${")".repeat(100)} && `)).toHaveProperty("message");
    expect(compileCondition(Array.from({ length: 400 }, () => "round > 1").join(" && "))).toHaveProperty("message");
    expect(compileCondition("round <")).toMatchObject({ message: expect.stringContaining("unexpected token") });
  });

  it("fails with the condition in its words when the artifact lacks what it asks for", () => {
    expect(() => holds("artifact.json.missing > 1", json)).toThrow(/artifact\.json\.missing > 1.*No such key: missing.*has\(/);
    expect(() => holds("artifact.json.name", json)).toThrow(/neither true nor false/);
    expect(() => holds("artifact.json.a.b == 1", { kind: "text", text: "" })).toThrow(/can't be decided/);
  });
});

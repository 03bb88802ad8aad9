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
    for (const pair of ["()", "[]"])
      expect(compileCondition(`${pair.charAt(0).repeat(900)}true${pair.charAt(1).repeat(900)}`)).toMatchObject({
        message: "it is nested more than 30 deep",
      });
    for (const long of [
      Array.from({ length: 400 }, () => "round > 1").join(" && "),
      `${"!".repeat(1900)}true`,
      `${"-".repeat(1900)}1 == 1`,
    ])
      expect(compileCondition(long)).toMatchObject({ message: "it has more than 300 parts" });
    expect(compileCondition("round <")).toMatchObject({ message: expect.stringContaining("unexpected token") });
  });

  it("fails with the condition in its words when the artifact lacks what it asks for", () => {
    expect(() => holds("artifact.json.missing > 1", json)).toThrow(/artifact\.json\.missing > 1.*No such key: missing.*has\(/);
    expect(() => holds("artifact.json.name", json)).toThrow(/neither true nor false/);
    expect(() => holds("artifact.json.a.b == 1", { kind: "text", text: "" })).toThrow(/can't be decided/);
  });

  it("fails with a hint that helps", () => {
    expect(() => holds("artifact.json.score + 1 > 3", json)).toThrow(/dyn<double> \+ int\. A number of JSON is a double: write 1\.0/);
    expect(() => holds("1 / 0 == 1", json)).toThrow(/can't be decided: division by zero\.$/);
  });
});

describe("what a model wrote", () => {
  const keys = ["__proto__", "constructor", "prototype", "toString", "hasOwnProperty", "valueOf", "size", ""];
  const strange = JSON.parse(`{${keys.map((key) => `${JSON.stringify(key)}: "x"`).join(", ")}, "a": 1}`) as Extract<
    Artifact,
    { kind: "json" }
  >["value"];

  it.each(keys)("a key called %j is a key like any other", (key) => {
    const word = JSON.stringify(key);
    const of = (value: typeof strange): Artifact => ({ kind: "json", value });
    expect(holds(`artifact.json[${word}] == "x" && ${word} in artifact.json && artifact.json.a == 1`, of(strange))).toBe(true);
    expect(holds(`${word} in artifact.json`, of({ a: 1 }))).toBe(false);
    expect(() => holds(`artifact.json[${word}] == "x"`, of({ a: 1 }))).toThrow(/No such key/);
    const files: Artifact = {
      kind: "files",
      files: [
        { path: `${key}/x`, encoding: "utf8", content: "x" },
        { path: key, encoding: "utf8", content: "y" },
      ],
    };
    expect(holds(`artifact.files[${word}] == "y" && size(artifact.files) == 2`, files)).toBe(true);
  });

  it("a word that looks like a number, and a number that is none, decide nothing by accident", () => {
    for (const word of ["NaN", "Infinity", "1e999", "0x10"]) {
      expect(() => holds("artifact.json.n > 3", { kind: "json", value: { n: word } })).toThrow(/can't be decided/);
      expect(holds("artifact.json.n == 3", { kind: "json", value: { n: word } })).toBe(false);
    }
    expect(holds("double(artifact.text) > 0.0 || double(artifact.text) <= 0.0", { kind: "text", text: "NaN" })).toBe(false);
  });

  it("JSON as deep as a model likes fails the condition and not the process", () => {
    const deep = (levels: number): Artifact => ({
      kind: "json",
      value: JSON.parse(`${"[".repeat(levels)}1${"]".repeat(levels)}`) as never,
    });
    expect(holds("size(artifact.json) == 1", deep(99))).toBe(true);
    for (const levels of [101, 5000, 100_000])
      expect(() => holds("size(artifact.json) == 1", deep(levels))).toThrow(/nested more than 100 deep/);
  });

  it.each([
    ["a long text", "artifact.text.contains('yes') || artifact.text.size() > 10", "x".repeat(3_000_000)],
    ["many lines", "artifact.text.split('\\n').exists(line, line.startsWith('total'))", "word\n".repeat(100_000)],
  ])("%s is looked at once", (_name, condition, text) => {
    expect(typeof holds(condition, { kind: "text", text })).toBe("boolean");
  });

  it.each([
    ["each of many items with each other", "artifact.json.exists(a, artifact.json.exists(b, a + b == 0.5))"],
    ["the same where errors are passed over", "artifact.json.exists(a, artifact.json.exists(b, a + b == 0.5 || a.x) || false)"],
    ["a list that doubles", `size([artifact.json]${".map(a, a + a)".repeat(16)}) == 1`],
    ["a text that doubles", `size([string(artifact.bytes)]${".map(a, a + a)".repeat(24)}[0]) == 1`],
    [
      "names for what doubles",
      `cel.bind(a, artifact.json + artifact.json, ${"cel.bind(a, a + a, ".repeat(12)}size(a) > 0${")".repeat(13)}`,
    ],
  ])("%s: refused before it takes for ever", (_name, condition) => {
    const many: Artifact = { kind: "json", value: Array.from({ length: 10_000 }, (_, i) => i) };
    expect(() => holds(condition, many)).toThrow(/it looks at too much/);
    // What was too much once is not held against the next artifact.
    expect(() => holds(condition, { kind: "json", value: [1, 2] })).not.toThrow(/^it looks at too much$/);
  });

  it("a condition may be asked again and again", () => {
    const condition = compileCondition("artifact.json.exists(i, i == 5.0) || cel.bind(n, size(artifact.json), n > 900)");
    if (!("holds" in condition)) throw new Error(condition.message);
    const many: Artifact = { kind: "json", value: Array.from({ length: 1000 }, (_, i) => i + 10) };
    for (let i = 0; i < 1000; i++) expect(condition.holds(scope(many))).toBe(true);
  });
});

import { isTroupeError, type Problem } from "@troupe/schema";
import { parseTopology } from "@troupe/topology";
import { describe, expect, it } from "vitest";

const cards = {
  actor: { agent: 1, name: "programmer", kind: "actor", instructions: "Write." },
  merger: { agent: 1, name: "merger", kind: "aggregator", instructions: "Merge." },
};

/** What is wrong with a topology of these lines. */
function problemsOf(...lines: string[]): readonly Problem[] {
  const text = ["troupe: 1", "name: test", ...lines, ""].join("\n");
  try {
    parseTopology({ path: "test.yaml", text }, cards);
  } catch (error) {
    if (isTroupeError(error)) return error.problems;
    throw error;
  }
  return [];
}

describe("row 2: a limit one level too deep is ignored without a word", () => {
  const chain = "shape: { kind: chain, size: 2 }";
  it.each<[string[], Partial<Problem>]>([
    [
      [chain, "defaults: { actor: actor, parallel: 3 }"],
      { line: 4, column: 27, message: 'unknown key "parallel" in defaults', hint: '"parallel" belongs under "limits"' },
    ],
    [
      [chain, "parallel: 3", "defaults: { actor: actor }"],
      { line: 4, column: 1, message: 'unknown key "parallel"', hint: '"parallel" belongs under "limits"' },
    ],
    [
      [chain, "defaults: { actor: actor, limits: { tokens: 5 } }"],
      { line: 4, column: 27, message: 'unknown key "limits" in defaults', hint: expect.stringContaining('"limits"') as string },
    ],
    [
      [chain, "defaults: { actor: actor }", "limits: { run: { tokens: 5 } }"],
      { line: 5, column: 11, message: 'unknown key "run" in limits' },
    ],
    [
      [chain, "defaults: { actor: actor }", "limits: { token: 5 }"],
      { line: 5, column: 11, message: 'unknown key "token" in limits', hint: 'did you mean "tokens"?' },
    ],
  ])("row 2: %j is an error with its place", (lines, problem) => {
    const [first, ...others] = problemsOf(...lines);
    expect(others).toEqual([]);
    expect(first).toMatchObject({ file: "test.yaml", severity: "error", ...problem });
  });
});

describe("row 26: a cycle is silently flattened into one parallel layer", () => {
  it("row 26: a cycle is an error that names its path and the lines of its edges", () => {
    const lines = ["nodes: [{ id: a }, { id: b }, { id: c }, { id: d }]", "edges:", "  - a -> b", "  - b -> [c, d]", "  - c -> a"];
    const [problem, ...others] = problemsOf(...lines, "defaults: { actor: actor, aggregator: merger }");
    expect(others).toEqual([]);
    expect(problem).toMatchObject({
      severity: "error",
      message: "the edges go round in a circle: a -> b (line 5) -> c (line 6) -> a (line 7)",
      line: 7,
    });
  });

  it("row 26: what repeats is a loop with a cap", () => {
    const [cycle] = problemsOf("nodes: [{ id: a }, { id: b }]", "edges: [a -> b -> a]", "defaults: { actor: actor }");
    expect(cycle?.hint).toContain("`loop`");
    const loop = (cap: string) =>
      problemsOf(`nodes: [{ id: a, loop: { graph: { nodes: [{ id: b }] }${cap} } }]`, "defaults: { actor: actor }");
    expect(loop(", times: 3")).toEqual([]);
    expect(loop("")).toMatchObject([{ message: '"times" is missing in nodes[0].loop' }]);
    expect(loop(", times: 1000000")).toMatchObject([{ message: "nodes[0].loop.times is 1000000" }]);
  });

  it("row 26: a node joined to itself is an error", () => {
    const [problem] = problemsOf("nodes: [{ id: a }, { id: b }]", "edges: [a -> b -> b]", "defaults: { actor: actor }");
    expect(problem).toMatchObject({ message: "the edge b -> b joins a node to itself", line: 4 });
  });
});

describe("row 25: a join waits for an edge of a loop", () => {
  it.each([
    [
      "an edge back into what it comes from",
      ["nodes: [{ id: a }, { id: b, join: all }, { id: c }]", "edges: [a -> b -> c -> b]"],
      /circle: b -> c/,
    ],
    ["a join of more artifacts than there are edges", ["nodes: [{ id: a }, { id: b, join: 3 }]", "edges: [a -> b]"], /3/],
    ["a join of a word that is none", ["nodes: [{ id: a }, { id: b, join: some }]", "edges: [a -> b]"], /nodes\[1\]\.join is "some"/],
  ])("row 25: %s is refused before anything runs", (_name, lines, message) => {
    const problems = problemsOf(...lines, "defaults: { actor: actor, aggregator: merger }").filter(({ severity }) => severity === "error");
    expect(problems).toHaveLength(1);
    expect(problems[0]?.message).toMatch(message);
  });
});

import { expect, it } from "vitest";
import { cards } from "../../test/fixtures.ts";
import { parseTopology } from "../load/bundle-topology.ts";
import { formatProblem } from "@troupe/schema";

const chain = "shape: { kind: chain, size: 3 }";
const two = "nodes: [{ id: a }, { id: b }]";
const three = "nodes: [{ id: a }, { id: b }, { id: c }]";

function warningsOf(defaults: string, ...lines: string[]) {
  const text = ["troupe: 1", "name: test", `defaults: { actor: actor, ${defaults} }`, ...lines, ""].join("\n");
  return parseTopology({ path: "test.yaml", text }, cards).warnings;
}

it.each<[string, string[], string[]]>([
  // Critics that have no rounds, where that is said.
  ["critic: critic, rounds: 0", [chain], ["3:51 the critic of `defaults` never judges: it has no rounds"]],
  ["critic: critic, rounds: 0", [two, "edges: [a -> b]"], ["3:51 the critic of `defaults` never judges: it has no rounds"]],
  ["rounds: 0", [chain, "edges: [{ from: 1, to: 2, critic: critic }]"], ["5:35 the edge's critic never judges: `defaults.rounds` is 0"]],
  [
    "rounds: 1",
    [chain, "edges: [{ from: 1, to: 2, critic: critic, rounds: 0 }]"],
    ["5:51 the edge's critic never judges: it has no rounds"],
  ],
  [
    "critic: critic",
    [two, "edges: [{ from: a, to: b, rounds: 0 }]"],
    ["3:35 the critic of `defaults` never judges: its edges have no rounds"],
  ],
  ["critic: critic", [two, "edges: [{ from: a, to: b, critic: none }]"], ["3:35 no edge has the critic of `defaults`"]],
  ["critic: critic", ["nodes: [{ id: a }]"], ["3:35 no edge has the critic of `defaults`"]],
  // One critic that works is enough, and an edge may do without.
  ["critic: critic, rounds: 0", [chain, "edges: [{ from: 1, to: 2, rounds: 2 }]"], []],
  ["critic: critic", [chain, "edges: [{ from: 1, to: 2, rounds: 0 }]"], []],
  ["critic: critic", [three, "edges: [a -> b, { from: b, to: c, rounds: 0 }]"], []],
  ["critic: critic", ["shape: { kind: chain, size: 1 }"], []],
  ["critic: none, rounds: 0", [chain], []],
  ["rounds: 0", [chain], []],
  // An aggregator waits for another shape; a graph that is written out has no other.
  ["aggregator: aggregator", [chain], []],
  ["aggregator: aggregator", [three, "edges: [a -> c, b -> c]"], []],
  ["aggregator: aggregator", [three, "edges: [a -> b, a -> c]"], []],
  [
    "aggregator: aggregator",
    [three, "edges: [a -> b -> c]"],
    ["3:39 the aggregator never acts: no node has several edges into it, and only one ends the graph"],
  ],
])("warnOfIdleParts() with the defaults %s and %j says %j", (defaults, lines, expected) => {
  const warnings = warningsOf(defaults, ...lines);
  expect(warnings.map(({ line, column, message }) => `${line}:${column} ${message}`)).toEqual(expected);
  for (const { severity, hint } of warnings) expect([severity, typeof hint]).toEqual(["warning", "string"]);
});

it("warnOfIdleParts() shows the line, and what to do", () => {
  expect(warningsOf("critic: critic, rounds: 0", chain).map(formatProblem)).toEqual([
    [
      "test.yaml:3:51: warning: the critic of `defaults` never judges: it has no rounds",
      "   3 | defaults: { actor: actor, critic: critic, rounds: 0 }",
      "     |                                                   ^",
      "  hint: say `rounds: 1` or more, or leave the critic out",
    ].join("\n"),
  ]);
});

it("warnOfIdleParts() says nothing of what depends on a faulty part", () => {
  const faulty = () => warningsOf("critic: critic, aggregator: aggregator", two, "edges: [a -> x, { from: a, two: b }]");
  expect(faulty).toThrow(expect.objectContaining({ message: expect.not.stringContaining("warning") }));
});

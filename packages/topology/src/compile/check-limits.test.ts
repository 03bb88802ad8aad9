import { describe, expect, it } from "vitest";
import { loadText, thrownBy } from "../../test/fixtures.ts";
import { bundleTopology } from "../load/bundle-topology.ts";

const nodes = "nodes: [{ id: a }, { id: b }]";

function problemsOf(...lines: string[]) {
  return thrownBy(() => loadText(...lines)).problems;
}

describe("checkLimits()", () => {
  it("points at an agent that is not there, and says which one was meant", () => {
    const [problem, ...more] = problemsOf(nodes, "edges: [a -> b]", "limits:", "  agents:", "    reviwer: { tokens: 5 }");
    expect(more).toEqual([]);
    expect(problem).toMatchObject({ line: 8, column: 5, message: 'no agent is called "reviwer"', hint: 'did you mean "reviewer"?' });
    expect(problem?.expected).toContain('"programmer"');
  });

  it("says the name of a card that was named by its path", () => {
    const [problem] = problemsOf(nodes, "edges: [a -> b]", "limits: { agents: { critic: { calls: 1 } } }");
    expect(problem?.hint).toBe('that card\'s name is "reviewer"');
  });

  it("takes names of cards, whatever is limited", () => {
    const { graph } = loadText(nodes, "edges: [a -> b]", "limits: { agents: { reviewer: { parallel: 1 } }, activation: { calls: 3 } }");
    expect(graph.limits).toEqual({ agents: { reviewer: { parallel: 1 } }, activation: { calls: 3 } });
  });

  it("says nothing of agents while a card can't be read", () => {
    const file = { troupe: 1, name: "x", director: "fixed", agents: ["a"], limits: { agents: { b: { calls: 1 } } } };
    const { problems } = thrownBy(() => bundleTopology({ file, cards: { a: { agent: 1 } } }));
    expect(problems.map(({ message }) => message).filter((message) => message.includes("no agent"))).toEqual([]);
  });
});

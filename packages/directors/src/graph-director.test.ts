import { createRandom, type RunView } from "@troupe/schema";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { defaults, drive, graphOf, sign, textOf } from "../test/drive.ts";
import { GraphDirector } from "./graph-director.ts";

const shapes = fc.oneof(
  fc.record({
    kind: fc.constantFrom("chain", "star", "tree", "mesh", "layer"),
    size: fc.integer({ min: 1, max: 12 }),
    reverse: fc.boolean(),
  }),
  fc.record({
    kind: fc.constant("random"),
    size: fc.integer({ min: 1, max: 12 }),
    reverse: fc.boolean(),
    seed: fc.nat(99),
    density: fc.double({ min: 0, max: 1, noNaN: true }),
  }),
);

describe("GraphDirector", () => {
  it("makes a product that depends on the artifact of every node, in any order of settling", () => {
    fc.assert(
      fc.property(
        shapes,
        fc.constantFrom("accept" as const, "revise" as const),
        fc.integer({ min: 0, max: 3 }),
        fc.nat(),
        (shape, word, rounds, seed) => {
          const graph = graphOf({ shape, defaults: { ...defaults, rounds, groupSize: 3 } });
          const random = createRandom(seed);
          const {
            activations,
            finish: finished,
            finishes,
            read,
          } = drive(new GraphDirector(graph), sign(word), { order: (ready) => ready.splice(random.integer(ready.length), 1)[0] });
          expect(finishes).toHaveLength(1);
          expect(finished?.kind).toBe("completed");
          expect(textOf(finished?.artifact && read(finished.artifact))).toBe(
            graph.nodes
              .map((node) => node.id)
              .sort()
              .join(","),
          );
          expect(activations.length).toBeLessThanOrEqual(graph.bound);
          if (word === "revise") expect(activations.length).toBe(graph.bound);
        },
      ),
    );
  });

  it("gives an edge two interactions: critic and source actor until the rounds end, then critic and target actor", () => {
    const { activations } = drive(
      new GraphDirector(graphOf({ shape: { kind: "chain", size: 2 }, defaults: { ...defaults, rounds: 2 } })),
      sign("revise"),
    );
    expect(
      activations.map(({ agent, meta, inputs }) => [agent, meta["step"], meta["node"], inputs.map((input) => input.name).join("+")]),
    ).toEqual([
      ["actor", "act", "1", "task"],
      ["critic", "critique", "2", "task+artifact"],
      ["actor", "refine", "1", "task+artifact+critique"],
      ["critic", "critique", "2", "task+artifact"],
      ["actor", "refine", "1", "task+artifact+critique"],
      ["actor", "develop", "2", "task+artifact+instruction"],
    ]);
  });

  it("lets critic and target actor talk about what the target made, where rounds are given for it", () => {
    const graph = graphOf({ shape: { kind: "chain", size: 2 }, defaults: { ...defaults, rounds: 1, targetRounds: 2 } });
    const { activations } = drive(new GraphDirector(graph), sign("revise"));
    expect(activations.map(({ label, meta }) => [label, meta["node"]])).toEqual([
      ["1", "1"],
      ["1→2 critique", "2"],
      ["1→2 refine", "1"],
      ["1→2 develop", "2"],
      ["1→2 critique target 1", "2"],
      ["1→2 refine target 1", "2"],
      ["1→2 critique target 2", "2"],
      ["1→2 refine target 2", "2"],
    ]);
    expect(activations).toHaveLength(graph.bound);
    const content = drive(new GraphDirector(graph), sign("accept"));
    expect(content.activations.map(({ label }) => label)).toEqual(["1", "1→2 critique", "1→2 develop", "1→2 critique target 1"]);
  });

  it("ends the rounds of an edge when its critic accepts", () => {
    const { activations } = drive(
      new GraphDirector(graphOf({ shape: { kind: "chain", size: 3 }, defaults: { ...defaults, rounds: 3 } })),
      sign("accept"),
    );
    expect(activations.map(({ meta }) => meta["step"])).toEqual(["act", "critique", "develop", "critique", "develop"]);
  });

  it("merges at a node by its temperature, and the product by the end of the schedule", () => {
    const graph = graphOf({
      edges: ["a, b -> c", "b -> d"],
      nodes: ["a", "b", "c", "d"].map((id) => ({ id, ...(id === "c" && { temperature: 0.7 }) })),
      defaults: { ...defaults, critic: "none", temperature: { from: 1, to: 0.1 } },
    });
    const { activations } = drive(new GraphDirector(graph), sign("accept"));
    const merges = activations.filter(({ meta }) => meta["step"] === "merge");
    expect(merges.map(({ label, temperature }) => [label, temperature])).toEqual([
      ["c merge", 0.7],
      ["product merge", 0.1],
    ]);
  });

  it("starts an edge as soon as its source is done: no branch waits for another", () => {
    const graph = graphOf({
      edges: ["a -> c", "b -> d", "c, d -> e"],
      nodes: ["a", "b", "c", "d", "e"].map((id) => ({ id })),
      defaults: { ...defaults, critic: "none" },
    });
    const settledFirst: string[] = [];
    drive(
      new GraphDirector(graph),
      (of, inputs) => {
        settledFirst.push(of.label);
        return sign("accept")(of, inputs);
      },
      { order: (ready) => ready.pop() },
    );
    expect(settledFirst.indexOf("b→d develop")).toBeLessThan(settledFirst.indexOf("a"));
  });

  it("goes on with what was given when a critic, a refinement, a development or a merge can't be used", () => {
    const graph = graphOf({ shape: { kind: "mesh", size: 4 }, defaults: { ...defaults, rounds: 2, groupSize: 2 } });
    for (const babbling of ["critique", "refine", "develop", "merge"]) {
      const { finish: finished, read } = drive(new GraphDirector(graph), (of, inputs) =>
        of.meta["step"] === babbling ? undefined : sign("revise")(of, inputs),
      );
      expect(finished?.kind, babbling).toBe("completed");
      expect(textOf(finished?.artifact && read(finished.artifact)), babbling).toContain("1");
    }
  });

  it("fails the run with the label of the activation that gave no artifact, and keeps the best artifact", () => {
    const director = new GraphDirector(graphOf({ shape: { kind: "chain", size: 1 } }));
    const { activations } = drive(director, sign("accept"));
    expect(activations).toHaveLength(1);
    const view = { activation: () => activations[0], task: { output: "text" }, nextId: 1 } as unknown as RunView;
    const again = new GraphDirector(graphOf({ shape: { kind: "chain", size: 1 } }));
    again.start({ ...view, taskRef: { hash: "", kind: "text", bytes: 0 }, nextId: 0, from: undefined } as unknown as RunView);
    const step = again.settled(
      { activation: 0, state: "failed", error: { code: "answer_unusable", message: "nothing usable", retryable: false } },
      view,
    );
    expect(step.finish).toMatchObject({ kind: "failed", error: { code: "answer_unusable", message: expect.stringContaining("(1)") } });
  });
});

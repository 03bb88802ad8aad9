import type { Activation, ActivationDraft, Artifact, ArtifactRef, Director, RunView, Step } from "@troupe/schema";
import { activation, createRandom, noUsage, publicTask } from "@troupe/schema";
import { bundleTopology, type CompiledGraph } from "@troupe/topology";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { GraphDirector } from "./graph-director.ts";

const card = (name: string, kind: string) => ({ agent: 1, name, kind, instructions: "Work." });
const cards = {
  "actor.yaml": card("actor", "actor"),
  "critic.yaml": card("critic", "critic"),
  "merger.yaml": card("merger", "aggregator"),
};
const defaults = { actor: "actor.yaml", critic: "critic.yaml", aggregator: "merger.yaml" };

function graphOf(file: Record<string, unknown>): CompiledGraph {
  const compiled = bundleTopology({ file: { troupe: 1, name: "test", defaults, ...file }, cards }).graph;
  if (compiled.director !== "graph") throw new Error("not a graph");
  return compiled;
}

/** Drives a director without an engine; `answer` does the work of an activation. */
function drive(
  director: Director,
  answer: (of: Activation, read: (name: string) => Artifact[]) => Artifact | undefined,
  order = (ready: number[]) => ready.shift(),
) {
  const activations: Activation[] = [];
  const stored = new Map<string, Artifact>();
  const outputs = new Map<number, ArtifactRef>();
  const put = (artifact: Artifact): ArtifactRef => {
    const hash = stored.size.toString(16).padStart(64, "0");
    stored.set(hash, artifact);
    return { hash, kind: artifact.kind, bytes: 1 };
  };
  const read = (ref: ArtifactRef): Artifact => stored.get(ref.hash) ?? { kind: "text", text: "" };
  const view: RunView = {
    run: "test",
    seed: 1,
    task: publicTask.parse({ id: "t", prompt: "p", output: "text" }),
    taskRef: put({ kind: "text", text: "p" }),
    from: undefined,
    usage: noUsage,
    get nextId() {
      return activations.length;
    },
    activation: (id) => activations[id] as Activation,
    state: (id) => (outputs.has(id) ? "done" : "running"),
    output: (id) => outputs.get(id),
    read,
    random: (key) => createRandom(1, key),
  };
  const ready: number[] = [];
  let finished: Step["finish"];
  const apply = (step: Step) => {
    for (const draft of step.start ?? ([] as ActivationDraft[])) {
      ready.push(activations.length);
      activations.push(activation.parse({ ...draft, id: activations.length }));
    }
    if (step.finish !== undefined) {
      expect(finished).toBeUndefined();
      finished = step.finish;
    }
  };
  apply(director.start(view));
  for (let id = order(ready); id !== undefined; id = order(ready)) {
    const of = activations[id] as Activation;
    const inputs = (name: string) => of.inputs.flatMap((input) => (input.name === name && "ref" in input ? [read(input.ref)] : []));
    const answered = answer(of, inputs);
    if (answered === undefined) {
      const error = { code: "answer_unusable", message: "only prose", retryable: false };
      apply(director.settled({ activation: id, state: "failed", error }, view));
      continue;
    }
    const ref = put(answered);
    outputs.set(id, ref);
    apply(director.settled({ activation: id, state: "done", artifact: ref }, view));
  }
  return { activations, finished, read };
}

const textOf = (artifact: Artifact | undefined): string => (artifact?.kind === "text" ? artifact.text : "");
const verdictOf = (word: "accept" | "revise"): Artifact => ({ kind: "json", value: { verdict: word, critique: "more" } });

/** Every actor signs what it was given; a merger joins the signatures. */
function sign(word: "accept" | "revise") {
  return (of: Activation, inputs: (name: string) => Artifact[]): Artifact => {
    if (of.meta["step"] === "critique") return verdictOf(word);
    const signed = [...inputs("artifact"), ...inputs("candidate")].flatMap((artifact) => textOf(artifact).split(","));
    return {
      kind: "text",
      text: [...new Set([...signed, of.meta["step"] === "merge" ? "" : String(of.meta["node"])])].filter(Boolean).sort().join(","),
    };
  };
}

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
          const { activations, finished, read } = drive(
            new GraphDirector(graph),
            sign(word),
            (ready) => ready.splice(random.integer(ready.length), 1)[0],
          );
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
      (ready) => ready.pop(),
    );
    expect(settledFirst.indexOf("b→d develop")).toBeLessThan(settledFirst.indexOf("a"));
  });

  it("goes on with what was given when a critic, a refinement, a development or a merge can't be used", () => {
    const graph = graphOf({ shape: { kind: "mesh", size: 4 }, defaults: { ...defaults, rounds: 2, groupSize: 2 } });
    for (const babbling of ["critique", "refine", "develop", "merge"]) {
      const { finished, read } = drive(new GraphDirector(graph), (of, inputs) =>
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

import type { Activation, Artifact, ArtifactRef } from "@troupe/schema";
import { describe, expect, it } from "vitest";
import { defaults, drive, graphOf, sign, textOf, verdictOf, type Worker } from "../test/drive.ts";
import { GraphDirector } from "./graph-director.ts";

const text = (of: string): Artifact => ({ kind: "text", text: of });
const plain = { ...defaults, critic: "none" };
const nodesOf = (...ids: string[]) => ids.map((id) => ({ id }));
const nodeOf = ({ meta }: Activation) => String(meta["node"]);
const labels = (activations: readonly Activation[]) => activations.map(({ label }) => label);

/** Each node answers with its word. */
const words =
  (of: Record<string, Artifact>): Worker =>
  (activation, read) =>
    activation.meta["step"] === "merge"
      ? text(read("candidate").map(textOf).sort().join("+"))
      : (of[nodeOf(activation)] ?? text(nodeOf(activation)));

function run(
  file: Record<string, unknown>,
  worker: Worker = sign("accept"),
  task: Record<string, unknown> = {},
  graphs?: Record<string, unknown>,
) {
  const driven = drive(new GraphDirector(graphOf({ defaults: plain, ...file }, graphs)), worker, { task });
  const product = (ref: ArtifactRef | undefined) => (ref === undefined ? undefined : driven.read(ref));
  return { ...driven, product: product(driven.finish?.artifact) };
}

describe("conditions on edges", () => {
  const file = {
    nodes: nodesOf("ask", "short", "long", "end"),
    edges: [
      { from: "ask", to: "short", when: 'artifact.text == "s"' },
      { from: "ask", to: "long", when: 'artifact.text != "s"' },
      "short, long -> end",
    ],
  };

  it("take the way whose condition holds; what only the other would have set off is skipped, and nobody waits for it", () => {
    const { activations, finish } = run(file, words({ ask: text("s") }));
    expect(labels(activations)).toEqual(["ask", "ask→short develop", "short→end develop"]);
    expect(finish?.kind).toBe("completed");
  });

  it("end a run as deadlocked when no way was taken, and say which and why", () => {
    const edges = [{ from: "ask", to: "end", when: 'artifact.text == "never"' }];
    const { finish } = run({ nodes: nodesOf("ask", "end"), edges }, words({}));
    expect(finish).toMatchObject({ kind: "deadlocked", waiting: ['ask -> end was not taken: artifact.text == "never" is false'] });
    expect(finish?.artifact).toBeDefined();
  });

  it("fail the run when they can't be decided, with the condition in the message", () => {
    const { finish } = run({ nodes: nodesOf("a", "b"), edges: [{ from: "a", to: "b", when: "artifact.json.score > 3" }] });
    expect(finish).toMatchObject({
      kind: "failed",
      error: { code: "condition_failed", message: expect.stringContaining("artifact.json.score > 3") },
    });
  });
});

describe("edges that carry or trigger alone", () => {
  it("carry: false makes the target wait, but gives it nothing", () => {
    const { activations } = run({ nodes: nodesOf("a", "b"), edges: [{ from: "a", to: "b", carry: false }] });
    expect(activations.map(({ label, inputs }) => [label, inputs.map(({ name }) => name)])).toEqual([
      ["a", ["task"]],
      ["b", ["task"]],
    ]);
  });

  it("trigger: false gives the target a context, for which it waits, and which can't make it act", () => {
    const edges = [{ from: "plan", to: "test", trigger: false }, "plan -> code -> test"];
    const { activations } = run({ nodes: nodesOf("plan", "code", "test"), edges }, words({ plan: text("the plan") }));
    expect(activations.map(({ label, inputs }) => [label, inputs.map(({ name }) => name)])).toEqual([
      ["plan", ["task"]],
      ["plan→code develop", ["task", "artifact"]],
      ["code→test develop", ["task", "context", "artifact"]],
    ]);
  });

  it("a work that was ready first waits until the context is there", () => {
    const edges = [{ from: "slow", to: "c", trigger: false }, "fast -> c"];
    const { activations } = run({ nodes: nodesOf("fast", "slow", "c"), edges });
    expect(activations.at(-1)?.inputs.map(({ name }) => name)).toEqual(["task", "context", "artifact"]);
  });

  it("a context alone leaves its target out", () => {
    const edges = [
      { from: "a", to: "b", when: "artifact.text == 'no'" },
      { from: "c", to: "b", trigger: false },
    ];
    expect(run({ nodes: nodesOf("a", "b", "c"), edges }).finish?.kind).toBe("deadlocked");
  });
});

describe("map and reduce edges", () => {
  const mapped = (by: string, more = {}) => ({
    nodes: nodesOf("list", "each"),
    edges: [{ from: "list", to: "each", map: { by, ...more } }],
  });
  const shout: Worker = (of, read) =>
    nodeOf(of) === "list" ? text("1. one\n- two\n\nthree") : text(read("item").map(textOf).join("").toUpperCase());

  it("map: a copy of the target works on each item, and their results are a list in the items' order", () => {
    const driven = drive(new GraphDirector(graphOf({ defaults: plain, ...mapped("lines") })), shout, { order: (ready) => ready.pop() });
    expect(labels(driven.activations)).toEqual(["list", "list→each map 1", "list→each map 2", "list→each map 3"]);
    expect(driven.read(driven.finish?.artifact as ArtifactRef)).toEqual({ kind: "json", value: ["ONE", "TWO", "THREE"] });
  });

  it("map over nothing gives an empty list", () => {
    const { product, activations } = run(mapped("items"), words({ list: { kind: "json", value: [] } }));
    expect(product).toEqual({ kind: "json", value: [] });
    expect(activations).toHaveLength(1);
  });

  it("a list that is none, or too long, fails the run and says what was expected", () => {
    expect(run(mapped("items"), words({ list: text("no list") })).finish).toMatchObject({
      kind: "failed",
      error: { code: "list_invalid", message: expect.stringMatching(/list -> each.*expected a JSON list/) },
    });
    expect(run(mapped("lines", { most: 2 }), shout).finish).toMatchObject({
      error: { message: expect.stringContaining("3 items, but at most 2") },
    });
  });

  it("an item whose answer can't be used stays as it was", () => {
    const { product } = run(mapped("lines"), (of, read) => (of.meta["item"] === 2 ? undefined : shout(of, read)));
    expect(product).toEqual({ kind: "json", value: ["ONE", "two", "THREE"] });
  });

  it("map over a graph opens it once for each item, in a scope of its own", () => {
    const nodes = [{ id: "list" }, { id: "each", graph: { nodes: nodesOf("x", "y"), edges: ["x -> y"] } }];
    const { activations, product } = run({ nodes, edges: mapped("lines").edges }, (of, read) =>
      nodeOf(of) === "list" ? text("a\nb") : text(`${textOf(read("artifact")[0])}${nodeOf(of)}`),
    );
    expect(product).toEqual({ kind: "json", value: ["axy", "bxy"] });
    expect(activations.slice(1).map(({ scope }) => scope)).toEqual(["each[1]", "each[2]", "each[1]", "each[2]"]);
  });

  it("trees are mapped by file and joined as numbered folders, which items splits again", () => {
    const tree: Artifact = { kind: "files", files: ["a.py", "b.py"].map((path) => ({ path, encoding: "utf8", content: path })) };
    const nodes = [...nodesOf("list", "each"), { id: "all", agent: "merger.yaml" }];
    const edges = [
      { from: "list", to: "each", map: { by: "files" } },
      { from: "each", to: "all", reduce: {} },
    ];
    const { activations, product } = run({ nodes, edges }, (of, read) => {
      if (nodeOf(of) === "list") return tree;
      const inner = [...read("artifact"), ...read("candidate")];
      return { kind: "files", files: inner.flatMap((one) => (one.kind === "files" ? one.files : [])) };
    });
    expect(labels(activations).at(-1)).toBe("all merge");
    expect(product).toEqual(tree);
  });

  it("reduce: the target merges the items in groups until one is left", () => {
    const nodes = [{ id: "list" }, { id: "all", agent: "merger.yaml" }];
    const edges = [{ from: "list", to: "all", reduce: { by: "lines", group: 2 } }];
    const { activations, product } = run({ nodes, edges }, (of, read) =>
      nodeOf(of) === "list" ? text("a\nb\nc\nd") : text(read("candidate").map(textOf).join("")),
    );
    expect(activations.map(({ agent }) => agent)).toEqual(["actor", "merger", "merger", "merger"]);
    expect(Array.from(textOf(product)).sort().join("")).toBe("abcd");
  });
});

describe("nodes without an agent", () => {
  it("literal and pass: a text goes on as it is", () => {
    const nodes = [{ id: "words", literal: "hello" }, { id: "on", pass: true }, { id: "end" }];
    const { activations, read } = run({ nodes, edges: ["words -> on -> end"] });
    expect(labels(activations)).toEqual(["on→end develop"]);
    const given = activations[0]?.inputs.find(({ name }) => name === "artifact");
    expect(read((given as { ref: ArtifactRef }).ref)).toEqual(text("hello"));
  });

  it("pass merges what meets there", () => {
    const { product } = run({ nodes: [...nodesOf("a", "b"), { id: "on", pass: true }], edges: ["a, b -> on"] }, words({}));
    expect(product).toEqual(text("a+b"));
  });

  it("human: a wait with the question, beside what has arrived", () => {
    const human = { ask: "Good?", options: ["yes", "no"], seconds: 5, otherwise: "no" };
    const edges = ["a -> h", { from: "h", to: "end", when: 'artifact.choice == "yes"' }];
    const { activations, finish } = run({ nodes: [{ id: "a" }, { id: "h", human }, { id: "end", pass: true }], edges }, (of) =>
      of.kind === "wait" ? { kind: "choice", choice: "yes" } : text("a"),
    );
    expect(activations[1]).toMatchObject({ kind: "wait", wait: human, inputs: [{ name: "task" }, { name: "artifact" }] });
    expect(finish?.kind).toBe("completed");
  });

  it("best: all that arrives is scored by one activation", () => {
    const { activations } = run({ nodes: [...nodesOf("a", "b", "c"), { id: "best", best: true }], edges: ["a, b, c -> best"] }, (of) =>
      text(of.label),
    );
    expect(activations.at(-1)).toMatchObject({
      kind: "score",
      inputs: [{ name: "task" }, { name: "candidate" }, { name: "candidate" }, { name: "candidate" }],
    });
  });
});

describe("votes and joins", () => {
  const voters = (need: unknown, more: Record<string, unknown> = {}) => ({
    nodes: [...nodesOf("a", "b", "c", "d", "e"), { id: "v", vote: { need, ...more } }],
    edges: ["a, b, c, d, e -> v"],
  });
  const answers = (...of: string[]) => words(Object.fromEntries(of.map((answer, i) => ["abcde"[i] ?? "", text(answer)])));

  it("all: the most frequent answer wins, whatever its form; of equally frequent ones the first of the file", () => {
    expect(run(voters("all"), answers("The answer is 4.0", "7", "so\nanswer: 4", "7", "9")).product).toEqual(text("The answer is 4.0"));
    expect(run(voters("all"), answers("x", "7", "answer: 7", "9", "9")).product).toEqual(text("7"));
    expect(run(voters("all", { compare: "exact" }), answers("4", "4.0", "x", "4.0", "y")).product).toEqual(text("4.0"));
  });

  it("a number: the first answer with so many votes wins at once, and the other voters are cancelled", () => {
    const file = voters(2);
    const goesOn = { nodes: [...file.nodes, { id: "end", pass: true }, { id: "tail" }], edges: [...file.edges, "v -> end -> tail"] };
    const { cancelled, activations } = run(goesOn, answers("4", "7", "7", "4", "4"));
    expect(run(file, answers("4", "7", "7", "4", "4")).product).toEqual(text("7"));
    expect(cancelled.map((id) => activations[id]?.label)).toEqual(["d", "e"]);
    expect(run(voters(4), answers("4", "7", "7", "x", "y")).product).toEqual(text("7"));
  });

  it("any: the first valid answer; no valid answer is none", () => {
    expect(run(voters("any"), answers("", "7", "8", "9", "9")).product).toEqual(text("7"));
    const { finish } = run(voters("all"), answers(" ", "", "", "", ""));
    expect(finish).toMatchObject({ kind: "deadlocked", waiting: ["no valid answer came to v"] });
  });

  it("choices are counted by their option, and what names none is no vote", () => {
    const { product } = run(voters("all"), answers("B", "green", "(b)", "no idea", "no idea"), {
      output: "choice",
      choices: ["red", "green"],
    });
    expect(product).toEqual(text("B"));
  });

  it("join: a number takes the first artifacts and cancels the work on the others, and what works for nobody else", () => {
    const nodes = [...nodesOf("a", "b", "c", "d"), { id: "j", pass: true, join: 2 }];
    const { product, cancelled, activations } = run({ nodes, edges: ["a -> d -> j", "b, c -> j"] }, words({}));
    expect(product).toEqual(text("b+c"));
    expect(cancelled.map((id) => activations[id]?.label)).toEqual(["a→d develop"]);
    expect(run({ nodes: [...nodesOf("a", "b"), { id: "j", pass: true, join: "any" }], edges: ["a, b -> j"] }, words({})).product).toEqual(
      text("a"),
    );
  });
});

describe("graphs and loops in nodes", () => {
  it("a graph works as one node, with what arrived as the beginning of its sources", () => {
    const graph = { nodes: nodesOf("x", "y"), edges: ["x -> y"] };
    const { product, activations } = run({ nodes: [{ id: "a" }, { id: "g", graph }, { id: "z" }], edges: ["a -> g -> z"] });
    expect(textOf(product)).toBe("a,x,y,z");
    expect(labels(activations)).toEqual(["a", "g: x", "g: x→y develop", "g→z develop"]);
  });

  it("a topology file brings its own defaults", () => {
    const inner = { troupe: 1, name: "inner", shape: { kind: "chain", size: 2 }, defaults: { ...defaults, rounds: 1 } };
    const { activations } = run({ nodes: [{ id: "g", graph: "inner.yaml" }] }, sign("revise"), {}, { "inner.yaml": inner });
    expect(labels(activations)).toEqual(["g: 1", "g: 1→2 critique", "g: 1→2 refine", "g: 1→2 develop"]);
  });

  it("a loop goes on with what its last round made, until the condition holds or the rounds are used up", () => {
    const loop = { graph: { nodes: nodesOf("x") }, times: 5, until: "round == 3 || artifact.text.contains('stop')" };
    const add: Worker = (of, read) => text(`${textOf(read("artifact")[0])}${nodeOf(of)}`);
    const { product, activations } = run({ nodes: [{ id: "a" }, { id: "l", loop }], edges: ["a -> l"] }, add);
    expect(textOf(product)).toBe("axxx");
    expect(activations.map(({ scope }) => scope)).toEqual(["", "l#1", "l#2", "l#3"]);
    const capped = { ...loop, times: 2 };
    expect(textOf(run({ nodes: [{ id: "l", loop: capped }] }, add).product)).toBe("xx");
  });

  it("a round that comes to no end leaves what the one before made", () => {
    const graph = { nodes: nodesOf("x", "y"), edges: [{ from: "x", to: "y", when: "round < 2" }] };
    const { product } = run({ nodes: [{ id: "l", loop: { graph, times: 9 } }] });
    expect(textOf(product)).toBe("x,y");
  });

  it("conditions inside a loop see its round, and loops lie in loops", () => {
    const inner = { troupe: 1, name: "inner", nodes: [{ id: "i", loop: { graph: "leaf.yaml", times: 2 } }], defaults: plain };
    const leaf = { troupe: 1, name: "leaf", nodes: nodesOf("x"), defaults: plain };
    const { activations } = run(
      { nodes: [{ id: "o", loop: { graph: "inner.yaml", times: 2 } }] },
      sign("accept"),
      {},
      { "inner.yaml": inner, "leaf.yaml": leaf },
    );
    expect(activations.map(({ scope }) => scope)).toEqual(["o#1/i#1", "o#1/i#2", "o#2/i#1", "o#2/i#2"]);
  });
});

it("merges are bounded in tokens too: neighbours go together while they fit", () => {
  const graph = graphOf({
    nodes: [...nodesOf("a", "b", "c", "d"), { id: "j", pass: true }],
    edges: ["a, b, c, d -> j"],
    defaults: { ...plain, groupTokens: 30 },
  });
  const { activations } = drive(new GraphDirector(graph), (of) =>
    text((of.label === "a" ? "long" : "s").repeat(of.label === "a" ? 40 : 1)),
  );
  const merges = activations.filter(({ meta }) => meta["step"] === "merge").map(({ inputs }) => inputs.length - 1);
  expect(merges).toEqual([2, 2, 2]);
  const free = graphOf({ nodes: [...nodesOf("a", "b", "c", "d"), { id: "j", pass: true }], edges: ["a, b, c, d -> j"], defaults: plain });
  expect(drive(new GraphDirector(free), sign("accept")).activations.filter(({ meta }) => meta["step"] === "merge")).toHaveLength(1);
});

/** Tokens that reach the sink of a mesh, estimated: of every input of every activation at it, while artifacts stay as long. */
function tokensReaching(size: number, memory: "artifact" | "history"): number {
  const graph = graphOf({ shape: { kind: "mesh", size }, defaults: { ...defaults, memory, rounds: 1 } });
  const { activations, read } = drive(new GraphDirector(graph), (of) =>
    of.meta["step"] === "critique" ? verdictOf("accept") : text(`${of.id}`.padEnd(1000, ".")),
  );
  const atSink = activations.filter(({ meta }) => meta["node"] === String(size));
  const inputs = atSink.flatMap((of) => of.inputs.flatMap((input) => ("ref" in input ? [read(input.ref)] : [])));
  return inputs.reduce((sum, artifact) => sum + JSON.stringify(artifact).length / 3.6, 0);
}

it("memory control: the tokens that reach the sink of an n-mesh grow with n; with full history they grow with n²", () => {
  const growth = (memory: "artifact" | "history") => {
    const [at8 = 1, at16 = 1, at32 = 1] = [8, 16, 32].map((size) => tokensReaching(size, memory));
    return [at16 / at8, at32 / at16];
  };
  for (const ratio of growth("artifact")) expect(ratio).toBeCloseTo(2, 0);
  const [first = 0, second = 0] = growth("history");
  expect(first).toBeGreaterThan(3);
  expect(second).toBeGreaterThan(3.5);
});

describe("an actor that begins and gives nothing that can be used", () => {
  const lostAt =
    (id: string, rest: Worker): Worker =>
    (of, read) =>
      nodeOf(of) === id && of.meta["step"] === "act" ? undefined : rest(of, read);
  const five = { nodes: [...nodesOf("a", "b", "c", "d", "e"), { id: "v", vote: { need: 3 } }], edges: ["a, b, c, d, e -> v"] };

  it("does not end a vote of others", () => {
    const { finish, product } = run(
      five,
      lostAt("a", (of) => text(nodeOf(of) === "b" ? "7" : "4")),
    );
    expect(finish?.kind).toBe("completed");
    expect(product).toEqual(text("4"));
  });

  it("is left out where artifacts are merged, at a node and at the end", () => {
    const joined = { nodes: [...nodesOf("a", "b", "c"), { id: "j", pass: true }], edges: ["a, b, c -> j"] };
    expect(run(joined, lostAt("b", words({}))).product).toEqual(text("a+c"));
    expect(run({ nodes: nodesOf("a", "b") }, lostAt("a", words({}))).product).toEqual(text("b"));
    const layered = { shape: { kind: "layer", size: 6, layers: 2 }, defaults: { ...plain, groupTokens: 1000 } };
    expect(textOf(run(layered, lostAt("2", sign("accept"))).product)).toBe("1,3,4,5,6");
  });

  it("ends the run with its error when nobody else is left", () => {
    expect(run({ nodes: nodesOf("a", "b"), edges: ["a -> b"] }, lostAt("a", words({}))).finish).toMatchObject({
      kind: "failed",
      error: { code: "answer_unusable" },
    });
  });
});

it("a text that goes on in place of an unusable merge may be of another kind than the task asks for", () => {
  const file = { nodes: [...nodesOf("a", "b"), { id: "j", pass: true }], edges: ["a, b -> j"] };
  const { finish } = run(file, (of) => (of.meta["step"] === "merge" ? undefined : text(nodeOf(of))), { output: "files" });
  expect(finish?.kind).toBe("completed");
});

it("a run that is cut off at an open vote has the answer that is ahead", () => {
  const file = { nodes: [...nodesOf("a", "b", "c", "d"), { id: "v", vote: {} }], edges: ["a, b, c, d -> v"] };
  const director = new GraphDirector(graphOf({ defaults: plain, ...file }));
  let settled = 0;
  const driven = drive(director, (of) => text(nodeOf(of) === "a" ? "7" : "4"), {
    order: (ready) => (settled++ < 3 ? ready.shift() : undefined),
  });
  expect(driven.read(director.best() as ArtifactRef)).toEqual(text("4"));
});

import type { Activation, Artifact, ArtifactRef, RunView } from "@troupe/schema";
import { describe, expect, it } from "vitest";
import { defaults, drive, graphOf, textOf, type Worker } from "../test/drive.ts";
import { GraphDirector } from "./graph-director.ts";
import { splitArtifact } from "./split-artifact.ts";

const text = (of: string): Artifact => ({ kind: "text", text: of });
const json = (value: unknown): Artifact => ({ kind: "json", value: value as never });
const plain = { ...defaults, critic: "none" };
const nodesOf = (...ids: (string | number)[]) => ids.map((id) => ({ id }));
const nodeOf = ({ meta }: Activation) => String(meta["node"]);
const labels = (activations: readonly Activation[]) => activations.map(({ label }) => label);
const range = (count: number) => Array.from({ length: count }, (_, i) => i);
const echo: Worker = (of, read) => text([...read("artifact"), ...read("item"), ...read("candidate")].map(textOf).join("+") + nodeOf(of));

function run(file: Record<string, unknown>, worker: Worker = echo, graphs?: Record<string, unknown>) {
  const graph = graphOf({ defaults: plain, ...file }, graphs);
  const driven = drive(new GraphDirector(graph), worker);
  const product = (ref: ArtifactRef | undefined) => (ref === undefined ? undefined : driven.read(ref));
  return { graph, ...driven, product: product(driven.finish?.artifact) };
}

describe("who goes on early", () => {
  it("what a step would start and is not needed any more is not started, and what comes after it keeps its own end", () => {
    // What a made goes to k, which works for the join alone, then ends the join, then goes to z.
    const nodes = [...nodesOf("a", "k"), { id: "join", pass: true, join: "any" }, ...nodesOf("z", "end")];
    const { activations, cancelled, product } = run({ nodes, edges: ["a -> k -> join", "a -> join -> end", "a -> z"] });
    expect(labels(activations)).toEqual(["a", "a→z develop", "join→end develop", "product merge"]);
    expect([cancelled, textOf(product)]).toEqual([[], "az+aend"]);
  });

  it("a join of one takes one, although another came while a context was waited for", () => {
    const nodes = [...nodesOf("a", "b", "slow"), { id: "join", join: 1 }];
    const edges = ["a, b -> join", { from: "slow", to: "join", trigger: false }];
    const late = drive(new GraphDirector(graphOf({ defaults: plain, nodes, edges })), echo, {
      order: (ready) => ready.splice(ready.length > 2 ? 0 : ready.length - 1, 1)[0],
    });
    expect(labels(late.activations).filter((label) => label.includes("merge"))).toEqual([]);
    expect(late.finish?.kind).toBe("completed");
  });

  it("a row of a hundred thousand nodes upwards of a join is given up without a deep stack", () => {
    const row = range(50_000);
    const nodes = [
      { id: "fast" },
      { id: "slow" },
      ...row.map((id) => ({ id, pass: true })),
      { id: "join", pass: true, join: "any" },
      { id: "end" },
    ];
    const edges = [`slow -> ${row.join(" -> ")} -> join`, "fast -> join -> end"];
    const { cancelled, product } = run({ nodes, edges });
    expect([cancelled, textOf(product)]).toEqual([[1], "fastend"]);
  });
});

describe("nodes at which nobody works", () => {
  const row = range(50_000);

  it("fifty thousand in a row pass on what they are given, or nothing, without a deep stack", () => {
    const nodes = [{ id: "a", literal: "x" }, ...row.map((id) => ({ id, pass: true })), { id: "end" }];
    const edges = (when: string) => [{ from: "a", to: 0, when }, `${row.join(" -> ")} -> end`];
    const { activations, product } = run({ nodes, edges: edges("true"), defaults: { ...plain, memory: "history" } });
    expect([activations.length, textOf(product)]).toEqual([1, "xend"]);
    expect(activations[0]?.inputs.filter(({ name }) => name === "history")).toHaveLength(row.length);
    expect(run({ nodes, edges: edges("false") }).finish).toMatchObject({
      kind: "deadlocked",
      waiting: ["a -> 0 was not taken: false is false"],
    });
  });

  it("that are given nothing are skipped, in a graph of their own too", () => {
    const inner = {
      nodes: [
        { id: "p", pass: true },
        { id: "v", vote: {} },
      ],
      edges: ["p -> v"],
    };
    const { finish } = run({ nodes: [{ id: "g", graph: inner }, { id: "end" }], edges: ["g -> end"] });
    expect(finish).toMatchObject({
      kind: "deadlocked",
      waiting: ["no end of the graph in g was reached", "g: p was given nothing"],
    });
    const late = {
      nodes: [...nodesOf("a", "b"), { id: "p", pass: true }],
      edges: [
        { from: "a", to: "p", carry: false },
        { from: "b", to: "p", when: "round == 1" },
      ],
    };
    expect(run({ nodes: late.nodes, edges: late.edges }).finish).toMatchObject({
      kind: "deadlocked",
      waiting: ["b -> p was not taken: round == 1 is false", "p was given nothing"],
    });
  });

  it("a loop whose conditions lead past its agents ends the run instead of never", () => {
    const past = {
      nodes: [{ id: "in", pass: true }, { id: "work" }, { id: "out", pass: true }],
      edges: [{ from: "in", to: "work", when: "false" }, "in -> out", "work -> out"],
    };
    const file = (name: string, node: Record<string, unknown>) => ({ troupe: 1, name, nodes: [node], defaults: plain });
    const loop = (graph: string) => ({ id: "l", loop: { graph, times: 100 } });
    const graphs = {
      "past.yaml": { troupe: 1, name: "past", ...past, defaults: plain },
      ...Object.fromEntries(range(5).map((i) => [`${i}.yaml`, file(`f${i}`, loop(i === 4 ? "past.yaml" : `${i + 1}.yaml`))])),
    };
    const { finish, graph } = run({ nodes: [{ id: "a" }, loop("0.yaml")], edges: ["a -> l"] }, echo, graphs);
    expect(finish).toMatchObject({
      kind: "failed",
      error: { code: "loop_idle", message: expect.stringContaining("without anybody at work") },
    });
    expect(graph.bound).toBe(1 + 100 ** 6 * (1 + 1));
  });
});

describe("loops and lists in each other", () => {
  it("rounds of loops three deep are made when they begin: a million of them cost nothing before", () => {
    const leaf = { troupe: 1, name: "leaf", nodes: nodesOf("x"), defaults: plain };
    const again = (name: string, graph: string) => ({
      troupe: 1,
      name,
      nodes: [{ id: "l", loop: { graph, times: 100 } }],
      defaults: plain,
    });
    const graphs = { "leaf.yaml": leaf, "two.yaml": again("two", "leaf.yaml"), "one.yaml": again("one", "two.yaml") };
    const graph = graphOf({ defaults: plain, nodes: [{ id: "l", loop: { graph: "one.yaml", times: 100 } }] }, graphs);
    let left = 500;
    const { activations, finish } = drive(new GraphDirector(graph), echo, {
      order: (ready) => (left-- > 0 ? ready.shift() : undefined),
    });
    expect(graph.bound).toBe(1_000_000);
    expect([activations.length, activations[499]?.scope, finish]).toEqual([501, "l#1/l#5/l#100", undefined]);
  });

  it("a map over a loop over a map gives lists of lists, in order", () => {
    const split = (from: string) => [{ from, to: "each", map: {} }];
    const list = { troupe: 1, name: "list", nodes: nodesOf("split", "each"), edges: split("split"), defaults: plain };
    const nodes = [{ id: "all" }, { id: "each", loop: { graph: "list.yaml", times: 2 } }];
    const { activations, product, graph } = run(
      { nodes, edges: split("all") },
      (of, read) => {
        if (nodeOf(of) === "all") return json(["a", "b"]);
        if (nodeOf(of) === "split")
          return json(
            [1, 2].map(
              (i) =>
                `${read("artifact")
                  .map((one) => JSON.stringify("value" in one ? one.value : textOf(one)))
                  .join("")}${i}`,
            ),
          );
        return text(`<${read("item").map(textOf).join("")}>`);
      },
      { "list.yaml": list },
    );
    expect(product).toEqual(json(["a", "b"].map((word) => [1, 2].map((i) => `<["<\\"${word}\\"1>","<\\"${word}\\"2>"]${i}>`))));
    expect(activations.map(({ scope }) => scope).filter((scope) => scope.includes("[2]"))).toEqual([
      "each[2]#1",
      "each[2]#1",
      "each[2]#1",
      "each[2]#2",
      "each[2]#2",
      "each[2]#2",
    ]);
    expect(graph.bound).toBe(1 + 100 * 2 * (1 + 100));
  });

  it("a loop around a person asks anew in each round, until the answer is yes", () => {
    const graph = { nodes: [{ id: "write" }, { id: "ask", human: { ask: "Good?", options: ["yes", "no"] } }], edges: ["write -> ask"] };
    const answers = ["no", "no", "yes", "never"];
    const { activations, product } = run({ nodes: [{ id: "l", loop: { graph, times: 9, until: "artifact.choice == 'yes'" } }] }, (of) =>
      of.kind === "wait" ? { kind: "choice", choice: answers.shift() ?? "" } : text(`draft ${of.id}`),
    );
    expect([activations.filter(({ kind }) => kind === "wait").length, product]).toEqual([3, { kind: "choice", choice: "yes" }]);
  });

  it("what a person said is no product while there is one", () => {
    const nodes = [{ id: "a" }, { id: "ask", human: { ask: "Good?", options: ["yes", "no"] } }, { id: "end" }];
    const edges = ["a -> ask", { from: "ask", to: "end", when: "artifact.choice == 'yes'" }];
    const { product, finish } = run({ nodes, edges }, (of) => (of.kind === "wait" ? { kind: "choice", choice: "no" } : text("the work")));
    expect([finish?.kind, product]).toEqual(["deadlocked", text("the work")]);
  });
});

describe("lists that models make", () => {
  const mapped = (most: number) => ({ nodes: nodesOf("list", "each"), edges: [{ from: "list", to: "each", map: { most } }] });

  it("of ten thousand items are worked on, of one more they are not", () => {
    const list =
      (count: number): Worker =>
      (of, read) =>
        nodeOf(of) === "list" ? json(range(count)) : read("item")[0];
    const { activations, product } = run(mapped(10_000), list(10_000));
    expect([activations.length, product]).toEqual([10_001, json(range(10_000))]);
    expect(run(mapped(10_000), list(10_001)).finish).toMatchObject({
      kind: "failed",
      error: { code: "list_invalid", message: expect.stringContaining("10001 items, but at most 10000") },
    });
  });

  it.each([
    ["null, empty words and lists of lists", json([null, "", [], [[1]], {}, false, 0]), [null, "", [], [[1]], {}, false, 0]],
    ["a list in a text", text(' [ "a", {"b": [1]} ] '), ["a", { b: [1] }]],
    ["an object with one list", json({ note: "x", constructor: ["a"] }), ["a"]],
    ["an object called like none", json(JSON.parse('{ "__proto__": ["a"] }')), ["a"]],
    ["nothing", json([]), []],
  ])("%s: every item is kept as it is", (_name, list, expected) => {
    const { product } = run(mapped(10), (of, read) => (nodeOf(of) === "list" ? list : read("item")[0]));
    expect(product).toEqual(json(expected));
  });

  it.each([
    ["two lists", json({ a: [1], b: [2] })],
    ["a number", json(7)],
    ["null", json(null)],
    ["half a list", text("[1, 2")],
    ["a list as deep as there is room", text(`${"[".repeat(100_000)}${"]".repeat(100_000)}`)],
    [
      "folders that share a number",
      { kind: "files" as const, files: ["1/a", "01/a"].map((path) => ({ path, encoding: "utf8" as const, content: "" })) },
    ],
    ["a choice", { kind: "choice" as const, choice: "a" }],
  ])("%s can't be split, and the run says where", (_name, made) => {
    expect(run(mapped(10), () => made).finish).toMatchObject({
      kind: "failed",
      error: {
        code: "list_invalid",
        message: expect.stringMatching(/^The edge list -> each can't split its artifact\. .*expected a JSON list/),
      },
    });
  });

  it("files at strange paths are items, and are joined as numbered folders", () => {
    const paths = ["__proto__", "constructor/toString", "a\nb", "ü/ß.py", "1/2/3", `${"x".repeat(500)}`];
    const files = paths.map((path) => ({ path, encoding: "utf8" as const, content: path }));
    const { product } = run({ nodes: nodesOf("list", "each"), edges: [{ from: "list", to: "each", map: { by: "files" } }] }, (of, read) =>
      nodeOf(of) === "list" ? { kind: "files", files } : read("artifact")[0],
    );
    expect(product).toEqual({ kind: "files", files: files.map((file, i) => ({ ...file, path: `${i + 1}/${file.path}` })) });
    expect(splitArtifact(product as Artifact, { by: "items", most: 10 })).toEqual(files.map((file) => ({ kind: "files", files: [file] })));
  });

  it("the error of an inner graph says in which", () => {
    const graph = { ...mapped(10) };
    expect(run({ nodes: [{ id: "l", loop: { graph, times: 2 } }] }, () => text("x")).finish).toMatchObject({
      error: { message: expect.stringMatching(/^l#1: The edge list -> each can't split/) },
    });
  });
});

describe("votes", () => {
  it("of a megabyte are each read once", () => {
    const ids = range(40);
    const graph = graphOf({
      defaults: plain,
      nodes: [...nodesOf(...ids), { id: "v", vote: { need: 21 } }],
      edges: [`${ids.join(", ")} -> v`],
    });
    const director = new GraphDirector(graph);
    const reads: ArtifactRef[] = [];
    const counted: Pick<GraphDirector, "start" | "settled" | "notice" | "idle" | "best"> = {
      start: (view) => director.start(counting(view)),
      settled: (done, view) => director.settled(done, counting(view)),
      notice: () => director.notice(),
      idle: () => director.idle(),
      best: () => director.best(),
    };
    const counting = (view: RunView): RunView => {
      const read = (ref: ArtifactRef): Artifact => {
        reads.push(ref);
        return view.read(ref);
      };
      return Object.create(view, { read: { value: read } }) as RunView;
    };
    const { finish, read, cancelled } = drive(counted, (of) =>
      text(`${"word ".repeat(200_000)}\nanswer: ${Number(nodeOf(of)) % 3 === 0 ? 4 : "4.0"}`),
    );
    expect(textOf(read(finish?.artifact as ArtifactRef)).slice(-9)).toBe("answer: 4");
    expect([reads.length, finish?.kind, cancelled.length]).toEqual([21, "completed", 0]);
  });
});

describe("a failure that follows from what is there", () => {
  it("stays the end, whatever the director is told after it, and comes again where nothing else goes on", () => {
    const graph = graphOf({
      defaults: plain,
      nodes: nodesOf("a", "b", "c"),
      edges: [{ from: "a", to: "c", when: "artifact.json.x" }, "b -> c"],
    });
    const director = new GraphDirector(graph);
    const { finish, idle } = drive(director, echo);
    expect(finish).toMatchObject({ kind: "failed", error: { code: "condition_failed" } });
    expect(director.settled({ activation: 1, state: "cancelled" }, undefined as never)).toEqual({ finish });
    expect(idle()).toEqual({ finish });
  });
});

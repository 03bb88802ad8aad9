import type { Artifact, ArtifactRef } from "@troupe/schema";
import { describe, expect, it } from "vitest";
import { newRunLog, program, type RunLog, says } from "../../test/run-log.ts";
import { measureRun } from "./measure-run.ts";

const named = (name: string, ref: ArtifactRef | undefined) => {
  if (ref === undefined) throw new Error(`${name} is missing`);
  return { name, ref };
};

/** An edge 1→2 with two rounds, as the graph director works it off; verdicts and artifacts are given. */
function runEdge(
  log: RunLog,
  { first, talk, developed }: { first: Artifact; talk: [Artifact, Artifact | "failed" | undefined][]; developed: Artifact | "failed" },
): void {
  const meta = { from: "1", to: "2" };
  const [act = 0] = log.start(undefined, { label: "1", meta: { node: "1", step: "act" } });
  let artifact = log.settle(act, first);
  let told = act;
  let last: ArtifactRef | undefined;
  for (const [at, [said, refined]] of talk.entries()) {
    const of = [named("artifact", artifact)];
    const [critic = 0] = log.start(told, { agent: "critic", inputs: of, meta: { ...meta, step: "critique", round: at + 1 } });
    last = log.settle(critic, said);
    told = critic;
    if (refined === undefined) break;
    const [actor = 0] = log.start(critic, { inputs: [...of, named("critique", last)], meta: { ...meta, step: "refine", round: at + 1 } });
    artifact = log.settle(actor, refined) ?? artifact;
    told = actor;
  }
  const inputs = [named("artifact", artifact), ...(last === undefined ? [] : [named("instruction", last)])];
  const [develop = 0] = log.start(told, { inputs, meta: { ...meta, node: "2", step: "develop" } });
  const product = log.settle(develop, developed) ?? artifact;
  if (product !== undefined) log.end({ kind: "completed", artifact: product });
}

const draft = program("def add(a, b):\n    return a - b\n");
const right = program("def add(a, b):\n    return a + b\n");
const longer = program("def add(a, b):\n    return a + b\n\n\nprint(add(1, 2))\n");
const talks = (log: RunLog) =>
  runEdge(log, {
    first: draft,
    talk: [
      [says("revise", "`add` subtracts: use `a + b`."), right],
      [says("accept", "It is right."), undefined],
    ],
    developed: longer,
  });

describe("measureRun()", () => {
  it("measures one edge from its log alone", () => {
    const log = newRunLog();
    talks(log);
    const metrics = measureRun(log);
    expect(metrics).toMatchObject({
      run: "r",
      topology: "t",
      outcome: "completed",
      tokens: 500,
      seconds: 7,
      activations: { states: { done: 5, failed: 0 }, steps: { act: 1, critique: 2, refine: 1, develop: 1 } },
      // act → critique → refine → critique → develop; the refinement was given the draft, and what is developed is the refined one.
      graph: { nodes: 5, edges: 6, density: 0.6, depth: 4, width: 1 },
      rounds: { talks: 1, held: 2, endedEarly: 1, earlyShare: 1 },
    });
  });

  it("counts what was adopted, by whom, and whether the change is about what was named", () => {
    const log = newRunLog();
    talks(log);
    const adoption = { suggestions: 1, adopted: 1, bySource: 1, byTarget: 0, share: 1, naming: 1, traced: 1, tracedShare: 1 };
    expect(measureRun(log).adoption).toEqual({ all: adoption, edges: [{ edge: "1→2", ...adoption }] });
  });

  it("takes no change, a failed change, and a change of something else for what they are", () => {
    const log = newRunLog();
    const talk: [Artifact, Artifact | "failed"][] = [
      [says("revise", "Rename `add` to `total`."), draft],
      [says("revise", "Handle text."), "failed"],
    ];
    runEdge(log, { first: draft, talk, developed: right });
    const { adoption, rounds, activations } = measureRun(log);
    // The second one was given to both: the source failed at it, the target changed its artifact after it, and it names nothing.
    expect(adoption.all).toEqual({
      ...{ suggestions: 2, adopted: 1, bySource: 0, byTarget: 1, share: 0.5, naming: 1, traced: 0, tracedShare: 0 },
    });
    expect(rounds).toEqual({ talks: 1, held: 2, endedEarly: 0, earlyShare: 0 });
    expect(activations.states).toMatchObject({ done: 5, failed: 1 });
  });

  it("counts no suggestion that nobody has worked on, and no share of nothing", () => {
    const log = newRunLog();
    const [act = 0] = log.start(undefined, {});
    const ref = log.settle(act, draft);
    const [critic = 0] = log.start(act, { agent: "critic", inputs: [named("artifact", ref)], meta: { from: "1", to: "2" } });
    log.start(critic, { inputs: [named("artifact", ref), named("critique", log.settle(critic, says("revise", "Do more.")))] });
    const { adoption, rounds, outcome, seconds } = measureRun(log);
    expect(adoption).toMatchObject({ all: { suggestions: 0, share: undefined, tracedShare: undefined }, edges: [] });
    expect(rounds).toMatchObject({ held: 1, endedEarly: 0, earlyShare: 0 });
    expect([outcome, seconds]).toEqual([undefined, log.events.length - 1]);
    expect(measureRun(newRunLog())).toMatchObject({
      graph: { nodes: 0, edges: 0, density: 0, depth: 0, width: 0 },
      rounds: { earlyShare: undefined },
      growth: { byDepth: [], product: undefined, bytesRatio: undefined },
    });
  });
});

describe("measureRun() in a loop", () => {
  it("takes each time for a talk of its own, and all of them for one edge", () => {
    const log = newRunLog();
    const [act = 0] = log.start(undefined, {});
    let artifact = log.settle(act, draft);
    for (const [scope, made] of [
      ["polish#1", right],
      ["polish#2", longer],
    ] as const) {
      const meta = { from: "1", to: "2" };
      const [critic = 0] = log.start(undefined, { agent: "critic", scope, meta, inputs: [named("artifact", artifact)] });
      const critique = named("critique", log.settle(critic, says("revise", `More, as in ${scope}.`)));
      const [actor = 0] = log.start(critic, { scope, meta, inputs: [named("artifact", artifact), critique] });
      artifact = log.settle(actor, made);
    }
    const { rounds, adoption } = measureRun(log);
    expect(rounds).toMatchObject({ talks: 2, held: 2, endedEarly: 0 });
    expect(adoption.edges).toMatchObject([{ edge: "polish: 1→2", suggestions: 2, adopted: 2, share: 1 }]);
  });
});

describe("measureRun() growth", () => {
  it("follows sizes from the first drafts to the product, without verdicts and given files", () => {
    const given = { path: "data.txt", content: "0123456789\n" };
    const log = newRunLog({ files: [given] });
    const with_ = (content: string) => program(content, { [given.path]: given.content });
    runEdge(log, {
      first: with_("x = 1\n"),
      talk: [[says("revise", "more"), with_("x = 1\ny = 2\n")]],
      developed: with_("x = 1\ny = 2\nz = 3"),
    });
    expect(measureRun(log).growth).toEqual({
      byDepth: [
        { depth: 0, artifacts: 1, bytes: 6, lines: 1 },
        { depth: 1, artifacts: 1, bytes: 12, lines: 2 },
        { depth: 2, artifacts: 1, bytes: 17, lines: 3 },
      ],
      product: { bytes: 17, lines: 3 },
      bytesRatio: 17 / 6,
      linesRatio: 3,
    });
  });

  it("averages what stands at one depth", () => {
    const log = newRunLog();
    const ids = log.start(undefined, {}, {});
    const refs = ids.map((id, at) => log.settle(id, program("x\n".repeat(at + 1))));
    const [merge = 0] = log.start(ids[1], { inputs: refs.map((ref) => named("candidate", ref)) });
    log.end({ kind: "completed", artifact: named("merge", log.settle(merge, program("x\n".repeat(6)))).ref });
    const { growth, graph } = measureRun(log);
    expect(growth.byDepth).toEqual([
      { depth: 0, artifacts: 2, bytes: 3, lines: 1.5 },
      { depth: 1, artifacts: 1, bytes: 12, lines: 6 },
    ]);
    expect(growth.linesRatio).toBe(4);
    expect(graph).toEqual({ nodes: 3, edges: 2, density: 2 / 3, depth: 1, width: 2 });
  });
});

describe("measureRun() graph and shape", () => {
  it("means the maker whose end let the reader start, where several have made the same", () => {
    const log = newRunLog();
    const ids = log.start(undefined, {}, {});
    const [ref] = ids.map((id) => log.settle(id, draft));
    // Told by the first, though the second has made the same thing last.
    log.start(ids[0], { inputs: [named("artifact", ref)] });
    expect(measureRun(log).graph).toMatchObject({ nodes: 3, edges: 1 });
  });

  it("draws edges of inputs that are named by their maker, and of those that carry nothing", () => {
    const log = newRunLog();
    log.start(undefined, {}, { inputs: [{ name: "artifact", from: 0 }] }, { after: [0, 1] });
    expect(measureRun(log).graph).toEqual({ nodes: 3, edges: 3, density: 1, depth: 2, width: 1 });
  });

  it("measures the topology that the log keeps, or says why not", () => {
    const card = { agent: 1, name: "solo", kind: "actor", instructions: "Work." };
    const topology = { troupe: 1, name: "t", shape: { kind: "chain", size: 3 }, defaults: { actor: "solo", rounds: 0 } };
    const log = newRunLog({ bundle: { file: topology, cards: { solo: card } } });
    expect(measureRun(log).shape).toMatchObject({ kind: "measured", nodes: 3, edges: 2, depth: 2, width: 1, density: 2 / 3 });
    expect(measureRun(newRunLog()).shape).toMatchObject({
      kind: "unmeasured",
      reason: expect.stringContaining("can't read the run's topology"),
    });
  });

  it("says that a log without a beginning is damaged", () => {
    const log = newRunLog();
    expect(() => measureRun({ ...log, events: [] })).toThrow(/does not begin with run\.started/);
  });
});

import type { Activation, ArtifactRef } from "@troupe/schema";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { drive, graphOf } from "../test/drive.ts";
import { type GraphSpec, toFiles } from "../test/graph-spec.ts";
import { graphSpecs } from "../test/random-graph.ts";
import { expect as expected } from "../test/reference-graph.ts";
import { actOf, nameOf, scripted } from "../test/scripted-answers.ts";
import { GraphDirector } from "./graph-director.ts";

/** Whose turn it is: places in the list of what is ready. */
const orders = fc.array(fc.nat(9), { maxLength: 40 });

function compile(spec: GraphSpec) {
  const { file, graphs } = toFiles(spec);
  return graphOf(file, graphs);
}

function run(spec: GraphSpec, seed: number, order: readonly number[]) {
  let turn = 0;
  const next = (ready: number[]) => ready.splice((order[turn++] ?? 0) % Math.max(1, ready.length), 1)[0];
  const graph = compile(spec);
  return { graph, ...drive(new GraphDirector(graph), scripted(seed), { order: next }) };
}

/** Says which graph it was that a check fails for, in the words of a topology. */
function about(spec: GraphSpec, seed: number, check: () => void): void {
  try {
    check();
  } catch (thrown) {
    throw new Error(`${String(thrown)}\nfor seed ${seed} and ${JSON.stringify(toFiles(spec))}`, { cause: thrown });
  }
}

const namesOf = (activations: readonly Activation[]) => activations.map((activation) => nameOf(actOf(activation))).sort();

/** What is in one list, but not as often in the other. */
function extra(list: readonly string[], other: readonly string[]): string[] {
  const left = [...other];
  return list.filter((name) => {
    const at = left.indexOf(name);
    if (at >= 0) left.splice(at, 1);
    return at < 0;
  });
}

describe("graphs in which nobody's being faster matters", () => {
  it("do what a simple interpreter says, in any order of settling: who acts, what comes of it, and how it ends", () => {
    fc.assert(
      fc.property(graphSpecs(false), fc.nat(), orders, (spec, seed, order) =>
        about(spec, seed, () => {
          const { graph, activations, finishes, read } = run(spec, seed, order);
          const { kind, product, acts } = expected(spec, seed);
          expect(finishes.map(({ kind }) => kind)).toEqual([kind]);
          expect(activations.length).toBeLessThanOrEqual(graph.bound);
          if (kind === "failed") {
            // Merges begin before it is known that one of the artifacts will never be there.
            const others = activations.filter(({ meta }) => meta["step"] !== "merge");
            expect(extra(namesOf(others), acts)).toEqual([]);
            return;
          }
          expect(namesOf(activations)).toEqual(acts);
          const [finish] = finishes;
          if (kind === "completed") expect(read(finish?.artifact as ArtifactRef)).toEqual(product);
          if (finish?.kind === "deadlocked") expect(finish.waiting).not.toEqual([]);
        }),
      ),
      { numRuns: 400 },
    );
  });
});

/** The node that an activation works for, with its scope: the target of an edge's talk, else where it acts. */
const servesOf = ({ scope, meta }: Activation) => ({ scope, node: String(meta["to"] ?? meta["node"] ?? "") });

/** Of every activation that began after one of the same node was cancelled: none may, unless the node had gone on by itself. */
function lateOnes(spec: GraphSpec, { activations, cancelled, cancelledAt }: ReturnType<typeof run>): string[] {
  const early = new Set(earlyNodes(spec));
  return cancelled.flatMap((id) => {
    const { scope, node } = servesOf(activations[id] as Activation);
    if (early.has(node)) return [];
    const late = activations.slice(cancelledAt.get(id)).filter((other) => {
      const its = servesOf(other);
      return (its.scope === scope && its.node === node) || its.scope.startsWith(`${scope === "" ? "" : `${scope}/`}${node}[`);
    });
    return late.map(({ label }) => `${label} after ${node} was abandoned`);
  });
}

/** Nodes that may go on before all is there, in any of the graphs. */
function earlyNodes({ nodes }: GraphSpec): string[] {
  return nodes.flatMap(({ id, work, join }) => {
    const isEarly = join !== undefined || (work.kind === "vote" && work.need !== "all");
    const inner = work.kind === "graph" || work.kind === "loop" ? earlyNodes(work.body.graph) : [];
    return [...(isEarly ? [id] : []), ...inner];
  });
}

describe("graphs with joins and votes that go on early", () => {
  it("come to exactly one end, within their bound, and never work for a node that was abandoned", () => {
    fc.assert(
      fc.property(graphSpecs(true), fc.nat(), orders, (spec, seed, order) =>
        about(spec, seed, () => {
          const driven = run(spec, seed, order);
          expect(driven.finishes).toHaveLength(1);
          expect(driven.activations.length).toBeLessThanOrEqual(driven.graph.bound);
          expect(lateOnes(spec, driven)).toEqual([]);
          const [finish] = driven.finishes;
          if (finish?.kind === "deadlocked") expect(finish.waiting).not.toEqual([]);
          if (finish?.kind === "failed") expect(finish.error.code).not.toBe("internal");
        }),
      ),
      { numRuns: 400 },
    );
  });
});

import type { TroupeError } from "@troupe/schema";
import { type CompiledGraph, type LoadedTopology, bundleTopology, parseTopology } from "../src/index.ts";

/** Cards of every kind, by short paths. */
export const cards = {
  actor: { agent: 1, name: "programmer", kind: "actor", instructions: "Write." },
  tester: { agent: 1, name: "tester", kind: "actor", instructions: "Test.", turns: 2 },
  critic: { agent: 1, name: "reviewer", kind: "critic", instructions: "Review." },
  aggregator: { agent: 1, name: "merger", kind: "aggregator", instructions: "Merge." },
} as const;

/** Defaults that make any graph run. */
export const defaults = { actor: "actor", critic: "critic", aggregator: "aggregator" };

/** Compiles a graph given as an object, with all defaults. */
export function graphOf(file: Record<string, unknown>): CompiledGraph {
  const { graph } = bundleTopology({ file: { troupe: 1, name: "test", defaults, ...file }, cards });
  if (graph.director !== "graph") throw new Error("not a graph");
  return graph;
}

/** Loads a topology given as YAML lines after its head and defaults (lines 1 to 3). */
export function loadText(...lines: string[]): LoadedTopology {
  const head = ["troupe: 1", "name: test", "defaults: { actor: actor, critic: critic, aggregator: aggregator }"];
  return parseTopology({ path: "test.yaml", text: [...head, ...lines, ""].join("\n") }, cards);
}

/** What a call throws, which must be a TroupeError. */
export function thrownBy(call: () => unknown): TroupeError {
  try {
    call();
  } catch (error) {
    return error as TroupeError;
  }
  throw new Error("nothing was thrown");
}

/** The edges of a graph as `from->to`, by name. */
export function edgeNames({ nodes, edges }: CompiledGraph): string[] {
  return edges.map(({ from, to }) => `${nodes[from]?.id}->${nodes[to]?.id}`);
}

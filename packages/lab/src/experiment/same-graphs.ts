import type { LoadedTopology } from "@troupe/runtime";
import type { Limits } from "@troupe/schema";

/** Graphs with more edges are never compared: no two of them would be the same by chance, and a text of millions of edges takes long. */
const mostEdges = 20_000;

/**
 * Finds systems that are the same graph although they were asked for by different words: one node is a chain, a star and a mesh, and so
 * are two. With the same seed they would give the same answers, so one run does for all of them.
 */
export class SameGraphs {
  readonly #names = new Map<string, string>();

  /** The name of the first system with this graph and these limits: the given one when there was none. */
  nameFor(name: string, { graph, limits }: { readonly graph: LoadedTopology["graph"]; readonly limits: Limits | undefined }): string {
    if (graph.director === "graph" && graph.edges.length > mostEdges) return name;
    const key = JSON.stringify([graph, limits]);
    const known = this.#names.get(key) ?? name;
    this.#names.set(key, known);
    return known;
  }
}

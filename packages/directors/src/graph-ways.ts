import type { ArtifactKind } from "@troupe/schema";
import type { CompiledEdge, CompiledGraph, CompiledNode } from "@troupe/topology";

/** Where an artifact arrives: at a node, or at the end of the graph, which stands behind the last node; and its place among what arrives there. */
export interface Arrival {
  readonly at: number;
  readonly place: number;
}

const known = new WeakMap<CompiledGraph, GraphWays>();

/** Look-ups in a compiled graph; what is seldom asked for is made when it is. */
export class GraphWays {
  readonly graph: CompiledGraph;
  readonly #edgePlace: Int32Array;
  readonly #sinkPlace: ReadonlyMap<number, number>;
  #sources: readonly (readonly number[])[] | undefined;
  readonly #ancestors = new Map<number, readonly number[]>();

  /** Those of a graph, made once: a map opens it for each item, a loop in each round. */
  static of(graph: CompiledGraph): GraphWays {
    const ways = known.get(graph) ?? new GraphWays(graph);
    known.set(graph, ways);
    return ways;
  }

  private constructor(graph: CompiledGraph) {
    this.graph = graph;
    this.#sinkPlace = new Map(graph.sinks.map((node, place) => [node, place]));
    this.#edgePlace = placesOfEdges(graph);
  }

  node(index: number): CompiledNode {
    const node = this.graph.nodes[index];
    if (node === undefined) throw new RangeError(`The graph has no node ${index}.`);
    return node;
  }

  /** The kind of artifact that an agent's card says it makes; undefined: what the task asks for, of aggregators what they are given. */
  outputOf(agent: string | undefined): ArtifactKind | undefined {
    return agent === undefined ? undefined : this.graph.agents[agent]?.output;
  }

  nameOf(at: number): string {
    return this.graph.nodes[at]?.id ?? "the product";
  }

  into(edge: CompiledEdge): Arrival {
    return { at: edge.to, place: this.#edgePlace[edge.index] ?? 0 };
  }

  ending(sink: number): Arrival {
    return { at: this.graph.nodes.length, place: this.#sinkPlace.get(sink) ?? 0 };
  }

  /** How many artifacts meet at a node, or at the end. */
  candidatesAt(at: number): number {
    return at === this.graph.nodes.length ? this.graph.sinks.length : (this.graph.inDegree[at] ?? 0);
  }

  /** The edges out of a node, sorted by target. */
  edgesOf(node: number): readonly CompiledEdge[] {
    const { edges, outStart } = this.graph;
    return edges.slice(outStart[node], outStart[node + 1]);
  }

  /** Where what a node makes arrives. */
  targetsOf(node: number): readonly number[] {
    const edges = this.edgesOf(node);
    return edges.length === 0 ? [this.graph.nodes.length] : edges.map(({ to }) => to);
  }

  /** The nodes whose artifacts arrive at a node, or at the end. */
  sourcesOf(at: number): readonly number[] {
    if (at === this.graph.nodes.length) return this.graph.sinks;
    this.#sources ??= sourcesOfNodes(this.graph);
    return this.#sources[at] ?? [];
  }

  /** Every node from which a way leads to this one, by number. */
  ancestorsOf(node: number): readonly number[] {
    const known = this.#ancestors.get(node);
    if (known !== undefined) return known;
    const found = new Set<number>();
    const open = [...this.sourcesOf(node)];
    for (const before of open) {
      if (found.has(before)) continue;
      found.add(before);
      const beyond = this.#ancestors.get(before);
      if (beyond === undefined) for (const source of this.sourcesOf(before)) open.push(source);
      else for (const source of beyond) found.add(source);
    }
    const ancestors = [...found].sort((a, b) => a - b);
    this.#ancestors.set(node, ancestors);
    return ancestors;
  }
}

function placesOfEdges(graph: CompiledGraph): Int32Array {
  const places = new Int32Array(graph.edges.length);
  const seen = new Int32Array(graph.nodes.length);
  for (const edge of graph.edges) {
    const place = seen[edge.to] ?? 0;
    places[edge.index] = place;
    seen[edge.to] = place + 1;
  }
  return places;
}

function sourcesOfNodes({ nodes, edges }: CompiledGraph): number[][] {
  const sources = nodes.map((): number[] => []);
  for (const { from, to } of edges) sources[to]?.push(from);
  return sources;
}

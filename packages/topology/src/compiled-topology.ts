import type { AgentCard, Limits, Profile } from "@troupe/schema";

/** A node of a compiled topology. */
export interface CompiledNode {
  readonly index: number;
  readonly id: string;
  /** Name of its actor in `agents`. */
  readonly agent: string;
  readonly model: string | undefined;
  readonly temperature: number;
  /** Who its actor is besides its card; undefined: nobody in particular. */
  readonly profile: Profile | undefined;
  /** Edges of the longest path from a source to here. */
  readonly depth: number;
  /** Edges of the longest path from here to a sink: what the scheduler takes first. */
  readonly height: number;
}

/** An edge of a compiled topology. */
export interface CompiledEdge {
  readonly index: number;
  readonly from: number;
  readonly to: number;
  /** Name of its critic in `agents`; undefined: the edge has none. */
  readonly critic: string | undefined;
  readonly model: string | undefined;
  /** Most rounds between critic and source actor; 0 when there is no critic. */
  readonly rounds: number;
  /** Who its critic is besides its card; undefined: nobody in particular. */
  readonly profile: Profile | undefined;
}

/** A topology ready to run: frozen, integer-indexed, free of files. */
export type CompiledTopology = CompiledGraph | CompiledSequence;

interface Compiled {
  readonly name: string;
  /** The run's table of agents, by card name. */
  readonly agents: Readonly<Record<string, AgentCard>>;
  readonly limits: Limits;
  /** The most activations a run can start (ARCHITECTURE: at most 2R + 1 an edge, ⌈(k − 1)/(g − 1)⌉ a join of k). */
  readonly bound: number;
}

/** A graph for the `graph` director. */
export interface CompiledGraph extends Compiled {
  readonly director: "graph";
  readonly nodes: readonly CompiledNode[];
  /** Sorted by `from`, then `to`. */
  readonly edges: readonly CompiledEdge[];
  /** Compressed rows: the edges out of node i are `edges[outStart[i]]` to `edges[outStart[i + 1] - 1]`; length nodes + 1. */
  readonly outStart: Int32Array;
  /** Edges into each node. */
  readonly inDegree: Int32Array;
  readonly sources: readonly number[];
  readonly sinks: readonly number[];
  /** Name of the aggregator in `agents`; undefined when nothing is ever merged. */
  readonly aggregator: string | undefined;
  readonly groupSize: number;
  /** Model that overrides the aggregator's card. */
  readonly aggregatorModel: string | undefined;
  /** Temperature at which the artifacts of the sinks are merged: the end of the schedule. */
  readonly productTemperature: number;
}

/** A list for the `fixed` director. */
export interface CompiledSequence extends Compiled {
  readonly director: "fixed";
  /** Names in `agents`, in the order of acting. */
  readonly sequence: readonly string[];
  readonly model: string | undefined;
  /** Temperature of each agent of the sequence. */
  readonly temperatures: readonly number[];
}

import type { AgentCard, Artifact, HumanWork, Limits, Profile, SplitBy, VoteWork } from "@troupe/schema";
import type { Condition } from "./compile/condition.ts";

/** A node of a compiled topology. */
export interface CompiledNode {
  readonly index: number;
  readonly id: string;
  readonly work: NodeWork;
  /** Name of its actor in `agents`; undefined: no agent works here. */
  readonly agent: string | undefined;
  readonly model: string | undefined;
  readonly temperature: number;
  /** Who its actor is besides its card; undefined: nobody in particular. */
  readonly profile: Profile | undefined;
  /** Edges of the longest path from a source to here. */
  readonly depth: number;
  /** Edges of the longest path from here to a sink: what the scheduler takes first. */
  readonly height: number;
  /** Undefined: every edge into the node brings one artifact, whatever happens, and all are waited for. */
  readonly arrivals: CompiledArrivals | undefined;
}

/** What is done at a node. */
export type NodeWork =
  | { readonly kind: "agent" }
  | { readonly kind: "human"; readonly wait: HumanWork }
  | { readonly kind: "literal"; readonly artifact: Artifact }
  | { readonly kind: "pass" }
  | { readonly kind: "vote"; readonly vote: VoteWork }
  | { readonly kind: "best" }
  | { readonly kind: "graph"; readonly body: CompiledGraph }
  | { readonly kind: "loop"; readonly body: CompiledGraph; readonly times: number; readonly until: Condition | undefined };

/** What a node waits for whose edges may bring nothing, or of which not all are waited for. */
export interface CompiledArrivals {
  /** Edges that bring an artifact to work on. */
  readonly carrying: number;
  /** Edges that only trigger, or only give a context. */
  readonly side: number;
  /** How many artifacts are waited for. */
  readonly need: number | "all";
}

/** An edge of a compiled topology. */
export interface CompiledEdge {
  readonly index: number;
  readonly from: number;
  readonly to: number;
  /** Shared by all edges of which the same is said. */
  readonly rule: EdgeRule;
}

/** What happens on an edge. */
export interface EdgeRule {
  /** Name of its critic in `agents`; undefined: the edge has none. */
  readonly critic: string | undefined;
  readonly model: string | undefined;
  /** Most rounds between critic and source actor; 0 when there is no critic. */
  readonly rounds: number;
  /** Most rounds between critic and target actor after its step; 0 when there is no critic. */
  readonly targetRounds: number;
  /** Who its critic is besides its card; undefined: nobody in particular. */
  readonly profile: Profile | undefined;
  /** The artifact goes this way only if it holds; undefined: always. */
  readonly when: Condition | undefined;
  /** Whether the target is given the artifact, and whether the edge makes it act. */
  readonly carry: boolean;
  readonly trigger: boolean;
  /** How the artifact is split, and what the target does with the items. */
  readonly split: EdgeSplit | undefined;
}

/** A map edge works on each item by itself; a reduce edge merges them in groups. */
export interface EdgeSplit {
  readonly kind: "map" | "reduce";
  readonly by: SplitBy;
  readonly most: number;
  /** Items of one aggregation. */
  readonly group: number;
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
  /** Estimated tokens that the artifacts of one aggregation may have together; undefined: any. */
  readonly groupTokens: number | undefined;
  /** What crosses an edge besides the artifact: nothing (MacNet), or what all nodes before it made. */
  readonly memory: "artifact" | "history";
  /** What is waited for at the end, like the arrivals of a node. */
  readonly ending: CompiledArrivals | undefined;
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

import type { Artifact } from "@troupe/schema";

/** A graph as the tests think of it: what the compiler and the reference interpreter are both given. */
export interface GraphSpec {
  readonly nodes: readonly NodeSpec[];
  /** Sorted by `from`, then `to`; each leads to a higher number. */
  readonly edges: readonly EdgeSpec[];
  readonly defaults: DefaultsSpec;
}

/** What holds where nothing else is said. */
export interface DefaultsSpec {
  readonly critic: boolean;
  readonly rounds: number;
  readonly groupSize: number;
  readonly groupTokens?: number;
  readonly history: boolean;
}

/** A graph of a node, in place or in a file. */
export interface BodySpec {
  readonly graph: GraphSpec;
  /** Absent: written in place. */
  readonly file?: string;
}

/** What works at a node. */
export type WorkSpec =
  | { readonly kind: "agent"; readonly isMerger: boolean }
  | { readonly kind: "human" | "pass" | "best" }
  | { readonly kind: "literal"; readonly value: string | readonly string[] }
  | { readonly kind: "vote"; readonly need: "all" | "any" | number; readonly compare: "answer" | "exact" }
  | { readonly kind: "graph"; readonly body: BodySpec }
  | { readonly kind: "loop"; readonly body: BodySpec; readonly times: number; readonly until?: ConditionSpec };

export interface NodeSpec {
  readonly id: string;
  readonly work: WorkSpec;
  readonly join?: "any" | number;
}

export interface EdgeSpec {
  readonly from: number;
  readonly to: number;
  readonly carry: boolean;
  readonly trigger: boolean;
  readonly when?: ConditionSpec;
  /** Rounds with a critic of its own, or none at all; absent: as the defaults say. */
  readonly critic?: number | "none";
  readonly split?: { readonly kind: "map" | "reduce"; readonly by: "items" | "lines"; readonly group?: number };
}

/** A condition, and what it means; undefined: it can't be decided. */
export interface ConditionSpec {
  readonly text: string;
  readonly holds: (artifact: Artifact, round: number) => boolean | undefined;
}

const textOf = (artifact: Artifact): string => (artifact.kind === "text" ? artifact.text : "");

/** Conditions that random graphs choose from; the first are the most useful ones. */
export const conditions: readonly ConditionSpec[] = [
  { text: "artifact.text.contains('1')", holds: (of) => textOf(of).includes("1") },
  { text: "!artifact.text.contains('2')", holds: (of) => !textOf(of).includes("2") },
  { text: "round < 2", holds: (_, round) => round < 2 },
  { text: "artifact.kind == 'text' || round == 2", holds: (of, round) => of.kind === "text" || round === 2 },
  { text: "artifact.choice != 'no'", holds: (of) => of.kind !== "choice" || of.choice !== "no" },
  { text: "tokens == 0 && calls < 1 && artifact.bytes > 1", holds: () => true },
  {
    text: "size(artifact.json) > 1",
    holds: (of) => (of.kind === "json" && typeof of.value === "object" && of.value !== null ? Object.keys(of.value).length > 1 : undefined),
  },
];

/** Conditions over what the run has used, which depends on who was faster. */
export const usageConditions: readonly ConditionSpec[] = [
  { text: "calls % 3 != 0", holds: () => undefined },
  { text: "tokens < 60 || calls > 4", holds: () => undefined },
];

/** The graph as a topology file, without what a file in a folder has besides. */
function toBody({ nodes, edges }: GraphSpec) {
  return {
    nodes: nodes.map(toNode),
    ...(edges.length === 0 ? {} : { edges: edges.map((edge) => toEdge(edge, nodes)) }),
  };
}

function toNode({ id, work, join }: NodeSpec): Record<string, unknown> {
  const common = { id, ...(join === undefined ? {} : { join }) };
  switch (work.kind) {
    case "agent":
      return { ...common, ...(work.isMerger ? { agent: "merger.yaml" } : {}) };
    case "human":
      return { ...common, human: { ask: "Good?" } };
    case "pass":
    case "best":
      return { ...common, [work.kind]: true };
    case "literal":
      return { ...common, literal: work.value };
    case "vote":
      return { ...common, vote: { need: work.need, compare: work.compare } };
    case "graph":
      return { ...common, graph: toUse(work.body) };
    case "loop":
      return { ...common, loop: { graph: toUse(work.body), times: work.times, ...(work.until && { until: work.until.text }) } };
  }
}

const toUse = ({ file, graph }: BodySpec) => file ?? toBody(graph);

function toEdge({ from, to, carry, trigger, when, critic, split }: EdgeSpec, nodes: readonly NodeSpec[]): Record<string, unknown> {
  return {
    ...{ from: nodes[from]?.id, to: nodes[to]?.id },
    ...(carry ? {} : { carry }),
    ...(trigger ? {} : { trigger }),
    ...(when === undefined ? {} : { when: when.text }),
    ...(critic === undefined ? {} : critic === "none" ? { critic } : { critic: "critic.yaml", rounds: critic }),
    ...(split === undefined ? {} : { [split.kind]: { by: split.by, ...(split.group === undefined ? {} : { group: split.group }) } }),
  };
}

/** The graph as a topology file, and the files that it names. */
export function toFiles(spec: GraphSpec): { file: Record<string, unknown>; graphs: Record<string, Record<string, unknown>> } {
  const graphs: Record<string, Record<string, unknown>> = {};
  const gather = ({ nodes }: GraphSpec): void => {
    for (const { work } of nodes) {
      if (work.kind !== "graph" && work.kind !== "loop") continue;
      const { file, graph } = work.body;
      if (file !== undefined) graphs[file] = toFile(graph);
      gather(graph);
    }
  };
  gather(spec);
  return { file: toFile(spec), graphs };
}

function toFile(spec: GraphSpec): Record<string, unknown> {
  const { critic, rounds, groupSize, groupTokens, history } = spec.defaults;
  const defaults = {
    ...{ actor: "actor.yaml", critic: critic ? "critic.yaml" : "none", aggregator: "merger.yaml", rounds, groupSize },
    ...(groupTokens === undefined ? {} : { groupTokens }),
    ...(history ? { memory: "history" } : {}),
  };
  return { troupe: 1, name: "test", defaults, ...toBody(spec) };
}

import type { EdgeEntry, NodeEntry, TopologyFile } from "@troupe/schema";
import { noCritic } from "./card-uses.ts";
import { cell } from "./edge-columns.ts";
import type { Wiring } from "./wire-nodes.ts";

/** What can work at a node, by the key that says so. */
export const workKeys = ["agent", "human", "literal", "pass", "vote", "best", "graph", "loop"] as const;
export type WorkKey = (typeof workKeys)[number];

/** What works at a node: what its entry says, else an agent. */
export function workOf(entry: NodeEntry | undefined): WorkKey {
  return workKeys.find((key) => entry?.[key] !== undefined) ?? "agent";
}

/** Whether it makes nothing of its own. */
export function onlyTakes(work: WorkKey): boolean {
  return work === "pass" || work === "vote" || work === "best";
}

/** What a file says of nodes and edges, by their numbers. */
export interface Terms {
  readonly node: (index: number) => NodeEntry | undefined;
  readonly work: (index: number) => WorkKey;
  readonly edge: (index: number) => EdgeTerms;
}

/** What holds for an edge: what its entry says, else the defaults. */
export interface EdgeTerms {
  /** What its entry says, where it has one of its own. */
  readonly said: Partial<EdgeEntry>;
  readonly carry: boolean;
  readonly trigger: boolean;
  /** Path of its critic; undefined: it has none, or there is nobody who could follow its critique. */
  readonly critic: string | undefined;
  readonly rounds: number;
  readonly targetRounds: number;
  readonly split: "map" | "reduce" | undefined;
}

const nothing: Partial<EdgeEntry> = {};

/** Looks up what a file says. */
export function termsOf(file: Pick<TopologyFile, "nodes" | "edges" | "defaults">, { nodes, edges }: Wiring): Terms {
  const node = (index: number): NodeEntry | undefined => file.nodes?.[nodes.entryOf.get(index) ?? -1];
  const work = (index: number): WorkKey => workOf(node(index));
  const generated = { agent: termsFor(nothing, "agent", file.defaults), other: termsFor(nothing, "pass", file.defaults) };
  const edge = (index: number): EdgeTerms => {
    const written = file.edges?.[cell(edges.entry, index)];
    const source = work(cell(edges.from, index));
    if (typeof written !== "object") return source === "agent" ? generated.agent : generated.other;
    return termsFor(written, source, file.defaults);
  };
  return { node, work, edge };
}

function termsFor(said: Partial<EdgeEntry>, source: WorkKey, defaults: TopologyFile["defaults"]): EdgeTerms {
  const { carry = true, trigger = true, critic: path = defaults.critic ?? noCritic, rounds = defaults.rounds } = said;
  const isTalk = source === "agent" && carry && trigger && path !== noCritic;
  const { targetRounds = defaults.targetRounds } = said;
  const most = isTalk ? { critic: path, rounds, targetRounds } : { critic: undefined, rounds: 0, targetRounds: 0 };
  return { said, carry, trigger, ...most, split: splitOf(said) };
}

function splitOf({ map, reduce }: Partial<EdgeEntry>): EdgeTerms["split"] {
  if (map !== undefined) return "map";
  return reduce === undefined ? undefined : "reduce";
}

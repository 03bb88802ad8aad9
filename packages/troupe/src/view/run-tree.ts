import type { ActivationRow } from "@troupe/engine";
import type { Activation } from "@troupe/schema";
import { oneLine } from "./terminal-text.ts";

/** The activations that belong to one node of the topology, in the order of starting. */
export interface Branch {
  /** The node, or undefined for an activation that belongs to none. */
  readonly node: string | undefined;
  readonly rows: readonly ActivationRow[];
}

/**
 * The activations of a run as a person thinks of them: what makes a node's artifact stands under the node, with the critiques and
 * refinements that the artifact goes through before it crosses an edge. Nodes in the order of starting.
 */
export function branchesOf(rows: readonly ActivationRow[]): Branch[] {
  const branches: { node: string | undefined; rows: ActivationRow[] }[] = [];
  const byNode = new Map<string, ActivationRow[]>();
  for (const row of rows) {
    const node = nodeOf(row.activation);
    const known = node === undefined ? undefined : byNode.get(node);
    if (known !== undefined) {
      known.push(row);
      continue;
    }
    const branch = { node, rows: [row] };
    if (node !== undefined) byNode.set(node, branch.rows);
    branches.push(branch);
  }
  return branches;
}

/** What an activation does, in a few words, where its node is already said. */
export function stepName({ meta, label }: Pick<Activation, "meta" | "label">): string {
  const round = Number(meta["round"] ?? 1) > 1 ? `, round ${meta["round"]}` : "";
  switch (meta["step"]) {
    case "act":
      return meta["node"] === undefined ? oneLine(label) : "act";
    case "critique":
    case "refine":
      return oneLine(`${meta["step"]} → ${meta["to"]}${round}`);
    case "develop":
      return oneLine(`develop ← ${meta["from"]}`);
    case "merge":
      return "merge";
    default:
      return oneLine(label);
  }
}

/** An activation by itself: where it stands, and who does it. */
export function nameActivation({ label, agent }: Pick<Activation, "label" | "agent">): string {
  return oneLine(agent === undefined || agent === label ? label : `${label} ${agent}`);
}

/** The node that an activation works for. */
function nodeOf({ meta, scope }: Activation): string | undefined {
  const polishes = meta["step"] === "critique" || meta["step"] === "refine";
  const node = (polishes ? meta["from"] : undefined) ?? meta["node"];
  if (node === undefined) return undefined;
  const name = node === "" ? "product" : oneLine(String(node));
  return scope === "" ? name : `${oneLine(scope)} ${name}`;
}

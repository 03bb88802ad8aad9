import type { AgentCard, TopologyFile } from "@troupe/schema";
import type { DocumentPath } from "../yaml/place.ts";

/** A card that a topology names: what for, and where. */
export interface CardUse {
  /** The card's path, as written. */
  readonly card: string;
  readonly role: AgentCard["kind"];
  readonly path: DocumentPath;
}

/** What `critic` says when an edge has none. */
export const noCritic = "none";

/** Every place of a topology that names a card, in the order of the format. */
export function listCardUses(file: TopologyFile): CardUse[] {
  const { actor, critic, aggregator } = file.defaults;
  const all: { card: string | undefined; role: CardUse["role"]; path: DocumentPath }[] = [
    { card: actor, role: "actor", path: ["defaults", "actor"] },
    { card: critic, role: "critic", path: ["defaults", "critic"] },
    { card: aggregator, role: "aggregator", path: ["defaults", "aggregator"] },
    ...(file.agents ?? []).map((card, i) => ({ card, role: "actor" as const, path: ["agents", i] })),
    ...(file.nodes ?? []).map(({ agent }, i) => ({ card: agent, role: "actor" as const, path: ["nodes", i, "agent"] })),
    ...(file.edges ?? []).map((edge, i) => ({
      card: typeof edge === "string" ? undefined : edge.critic,
      role: "critic" as const,
      path: ["edges", i, "critic"],
    })),
  ];
  return all.flatMap(({ card, ...use }) => (card === undefined || (use.role === "critic" && card === noCritic) ? [] : [{ card, ...use }]));
}

import type { AgentCard } from "@troupe/schema";
import type { CardTable } from "./check-cards.ts";
import { freezeDeep } from "./freeze-deep.ts";

/** Collects the cards that a compiled topology uses, by name. */
export interface AgentTable {
  /** Takes the card of a path into the table and returns its name. */
  nameOf(path: string): string;
  /** What was taken, frozen. */
  readonly agents: Readonly<Record<string, AgentCard>>;
}

/** An empty table over checked cards; it keeps copies, so that the caller's cards stay the caller's. */
export function createAgentTable(cards: CardTable): AgentTable {
  const taken = new Map<string, AgentCard>();
  return {
    nameOf: (path) => {
      const card = cards.get(path);
      if (card === undefined || card === "faulty") throw new TypeError(`the card ${path} was not checked`);
      if (!taken.has(card.name)) taken.set(card.name, freezeDeep(structuredClone(card)));
      return card.name;
    },
    get agents() {
      return Object.freeze(Object.fromEntries(taken));
    },
  };
}

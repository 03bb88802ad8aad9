import type { TopologyFile } from "@troupe/schema";
import { didYouMean } from "../yaml/did-you-mean.ts";
import { quote, quoteList } from "../yaml/quote.ts";
import type { CardTable } from "./check-cards.ts";
import type { ProblemList } from "./problem-list.ts";

/** Limits of agents that the topology doesn't have would hold nobody back, and nobody would notice. */
export function checkLimits({ limits }: Pick<TopologyFile, "limits">, cards: CardTable, list: ProblemList): void {
  const names = new Set<string>();
  for (const card of cards.values()) {
    // The name that is looked for may stand on a card that can't be read.
    if (card === "faulty") return;
    names.add(card.name);
  }
  for (const name of Object.keys(limits?.agents ?? {})) {
    if (names.has(name)) continue;
    const card = cards.get(name);
    const expected = `the name on a card: ${quoteList([...names])}`;
    const hint = typeof card === "object" ? { hint: `that card's name is ${quote(card.name)}` } : didYouMean(name, names);
    list.add({ path: ["limits", "agents", name], on: "key", message: `no agent is called ${quote(name)}`, expected, ...hint });
  }
}

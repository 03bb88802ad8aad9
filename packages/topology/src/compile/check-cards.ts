import { type AgentCard, canonicalJson } from "@troupe/schema";
import { quote } from "../yaml/quote.ts";
import type { CardUse } from "./card-uses.ts";
import type { ProblemList } from "./problem-list.ts";

/** Cards by the path that the topology wrote; `faulty`: there is one, but its problems are reported elsewhere. */
export type CardTable = ReadonlyMap<string, AgentCard | "faulty">;

/** Checks that every named card is there, is of the kind that its use needs, and shares its name with no other. */
export function checkCards(uses: readonly CardUse[], cards: CardTable, list: ProblemList): void {
  const pathOf = new Map<string, string>();
  for (const use of uses) {
    const card = cards.get(use.card);
    if (card === undefined) list.add({ path: use.path, message: `there is no card ${quote(use.card)}`, code: "file_missing" });
    if (card === undefined || card === "faulty") continue;
    if (card.kind !== use.role) {
      const message = `${quote(use.card)} is the card of ${article(card.kind)}, not of ${article(use.role)}`;
      list.add({ path: use.path, message, expected: `a card with \`kind: ${use.role}\`` });
    }
    warnOfIdleTools(card, use, list);
    const first = pathOf.get(card.name) ?? use.card;
    pathOf.set(card.name, first);
    if (isOther(card, cards.get(first))) {
      const message = `${quote(use.card)} and ${quote(first)} are different cards of the same name, ${quote(card.name)}`;
      list.add({ path: use.path, message, expected: "a name of its own for each card" });
    }
  }
}

/** Tools are for whoever makes files; critics try out what they judge. */
function warnOfIdleTools({ kind, output, tools }: AgentCard, { card, path }: CardUse, list: ProblemList): void {
  if (kind === "critic" || output === undefined || output === "files" || tools.length === 0) return;
  const message = `${quote(card)} has tools, which are for agents that make files, but it makes ${output}`;
  list.add({ path, severity: "warning", message, hint: "leave the tools out" });
}

function isOther(card: AgentCard, first: AgentCard | "faulty" | undefined): boolean {
  return first !== card && canonicalJson(first) !== canonicalJson(card);
}

function article(role: AgentCard["kind"]): string {
  return role === "critic" ? "a critic" : `an ${role}`;
}

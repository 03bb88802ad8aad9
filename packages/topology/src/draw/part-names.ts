import type { CompiledNode, EdgeRule } from "../compiled-topology.ts";

const longest = 40;

/** Who works at a node, in a word or two: its actor, or what it is instead. */
export function workName({ work, agent }: Pick<CompiledNode, "work" | "agent">): string {
  switch (work.kind) {
    case "agent":
      return agent ?? "";
    case "human":
      return "a person";
    case "graph":
      return `graph of ${work.body.nodes.length}`;
    case "loop":
      return `loop of ${work.body.nodes.length}, at most ${work.times} ×`;
    case "vote":
      return work.vote.need === "all" ? "vote" : `vote, ${work.vote.need} needed`;
    case "literal":
    case "pass":
    case "best":
      return work.kind;
  }
}

/** What is special on an edge, in a few words; undefined: nothing. */
export function edgeNote({ critic, rounds, targetRounds, when, carry, trigger, split }: EdgeRule): string | undefined {
  const notes = [
    ...(critic === undefined ? [] : [`${critic}${rounds === 1 ? "" : ` ×${rounds}`}${targetRounds === 0 ? "" : ` +${targetRounds}`}`]),
    ...(when === undefined ? [] : [`if ${shorten(when.text)}`]),
    ...(split === undefined ? [] : [`${split.kind} ${split.by}`]),
    ...(carry ? [] : ["only after"]),
    ...(trigger ? [] : ["beside"]),
  ];
  return notes.length === 0 ? undefined : notes.join(" · ");
}

function shorten(text: string): string {
  return text.length <= longest ? text : `${text.slice(0, longest - 1)}…`;
}

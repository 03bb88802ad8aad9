import type { ChatAnswer } from "@troupe/schema";
import { answerUnusable } from "./answer-unusable.ts";
import type { Section } from "./prompts/sections.ts";
import type { Work } from "./work.ts";

/** How a reader says that an answer can't be used. */
export interface Unusable {
  /** One sentence: what is wrong with it. */
  readonly unusable: string;
}

/**
 * Asks, reads, and asks once more when the answer can't be used, saying exactly why.
 *
 * @throws TroupeError `answer_unusable` when the second answer is no better, or no call is left for it.
 */
export async function askUntilRead<Value>(
  work: Work,
  sections: readonly Section[],
  read: (answer: ChatAnswer) => Value | Unusable,
): Promise<Value> {
  const first = await work.talk.ask(work.talk.compose(sections));
  const value = read(first);
  if (!isUnusable(value)) return value;
  if (work.talk.left === 0) throw answerUnusable(work, value.unusable, first.text);
  const second = await work.talk.ask(work.talk.compose([...sections, reaskSection(value.unusable, first)]));
  const again = read(second);
  if (isUnusable(again)) throw answerUnusable(work, again.unusable, second.text);
  return again;
}

/** What is added to a prompt whose first answer could not be used. */
export function reaskSection(why: string, answer: Pick<ChatAnswer, "finish">): Section {
  const shorter = answer.finish === "length" ? " It was cut off because it was too long: be much shorter this time." : "";
  return { text: `Your answer before this one could not be used: ${why}${shorter} Answer again, exactly in the form that is asked for.` };
}

function isUnusable(value: unknown): value is Unusable {
  return typeof value === "object" && value !== null && "unusable" in value;
}

import { TroupeError } from "@troupe/schema";
import type { Work } from "./work.ts";
import { shorten } from "./prompts/sections.ts";

/** The error of an agent whose model gave nothing usable, also not after the re-ask; carries the last answer, shortened. */
export function answerUnusable({ card, context }: Pick<Work, "card" | "context">, why: string, answer: string): TroupeError {
  const where = `activation ${context.activation.id} (${context.activation.label})`;
  return new TroupeError(
    "answer_unusable",
    `${card.name}'s model gave no usable answer in ${where}: ${why} Read it with \`troupe show\`, or try a larger model.`,
    {
      details: { agent: card.name, why, answer: shorten(answer, 2000) },
      retryable: false,
    },
  );
}

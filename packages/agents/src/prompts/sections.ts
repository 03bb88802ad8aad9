import { type ChatMessage, TroupeError } from "@troupe/schema";

/** A part of a prompt; only `text` is ever shortened. */
export interface Section {
  /** Stands before the text, such as a heading and an opening fence. */
  readonly head?: string;
  readonly text: string;
  /** Stands after the text, such as a closing fence. */
  readonly tail?: string;
  /** What is shortened first when the prompt is too long: the lowest; absent: never shortened. */
  readonly weight?: number;
}

/** Characters one token has, on average, in prose and code: an estimate on the safe side. */
const charactersPerToken = 3.6;
/** Tokens that a chat template puts around a message, at most. */
const tokensPerMessage = 8;
/** Characters that a shortened text keeps in the first pass. */
const firstFloor = 1200;

/** How many tokens a text has, estimated from its length. */
export function estimateTokens(text: string): number {
  return Math.ceil(text.length / charactersPerToken);
}

/** How many tokens messages have together, estimated. */
export function estimateMessages(messages: readonly ChatMessage[]): number {
  return messages.reduce(
    (sum, { content, toolCalls = [] }) =>
      sum + tokensPerMessage + estimateTokens(content + toolCalls.map((call) => call.arguments).join("")),
    0,
  );
}

/**
 * Joins sections into one text of at most so many tokens. The least important are shortened first, in their middle,
 * and say how much was left out.
 *
 * @throws TroupeError `model_context_overflow` when what must not be shortened is too long by itself.
 */
export function fitSections(sections: readonly Section[], maxTokens: number): string {
  const texts = sections.map((section) => section.text);
  const render = () => sections.map((section, index) => `${section.head ?? ""}${texts[index] ?? ""}${section.tail ?? ""}`).join("\n\n");
  const excess = () => Math.ceil((estimateTokens(render()) - maxTokens) * charactersPerToken);
  const order = [...sections.keys()]
    .filter((index) => sections[index]?.weight !== undefined)
    .sort((a, b) => (sections[a]?.weight ?? 0) - (sections[b]?.weight ?? 0));
  for (const floor of [firstFloor, 0]) {
    for (const index of order) {
      const over = excess();
      if (over <= 0) return render();
      const whole = sections[index]?.text ?? "";
      const room = (texts[index] ?? "").length - over;
      texts[index] = shorten(whole, Math.max(room, floor));
    }
  }
  if (excess() > 0) {
    const needed = estimateTokens(render());
    throw new TroupeError(
      "model_context_overflow",
      `The prompt needs about ${needed} tokens after everything that may be left out was left out, but only ${maxTokens} fit. Use a model with a larger context, or a shorter task.`,
      { details: { needed, fits: maxTokens } },
    );
  }
  return render();
}

/** Cuts the middle out of a text so that it has at most so many characters, and says how many are gone. */
export function shorten(text: string, maxCharacters: number): string {
  if (text.length <= maxCharacters) return text;
  const mark = (gone: number) => `[… ${gone} characters left out …]`;
  const kept = Math.max(0, maxCharacters - mark(text.length).length - 2);
  if (kept < 40) return mark(text.length);
  const head = text.slice(0, Math.ceil(kept * 0.6));
  const tail = text.slice(text.length - (kept - head.length));
  return `${head}\n${mark(text.length - head.length - tail.length)}\n${tail}`;
}

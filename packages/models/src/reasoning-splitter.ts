/** Parts a model's text into reasoning and answer while it streams; see {@link createReasoningSplitter}. */
export interface ReasoningSplitter {
  /** Takes the next piece of text. */
  push(piece: string): void;
  /** The whole, when the stream has ended. */
  end(): { text: string; reasoning: string };
}

const openingTag = /^\s*<(?:think|thinking)>/;
const openingTags = ["<think>", "<thinking>"];
const closingTag = /<\/(?:think|thinking)>/;
const longestClosingTag = "</thinking>".length;

/**
 * Parts a model's text into reasoning and answer.
 *
 * Reasoning stands between think tags at the beginning of the text. Some chat templates put the opening tag into the prompt, so
 * that only the closing one is seen: then everything before it was reasoning, which the listener of a stream has already seen as text.
 *
 * @param onText told each piece of the answer as it arrives.
 */
export function createReasoningSplitter(onText: (piece: string) => void): ReasoningSplitter {
  let state: "start" | "reasoning" | "text" = "start";
  let pending = "";
  let text = "";
  let reasoning = "";
  let tagged = false;

  const begin = (): boolean => {
    const opening = openingTag.exec(pending);
    if (opening === null && mayBecomeOpening(pending)) return false;
    state = opening === null ? "text" : "reasoning";
    tagged ||= opening !== null;
    pending = pending.slice(opening?.[0].length ?? 0);
    return true;
  };
  const reason = (): boolean => {
    const closing = closingTag.exec(pending);
    if (closing === null) {
      const safe = Math.max(0, pending.length - longestClosingTag + 1);
      reasoning += pending.slice(0, safe);
      pending = pending.slice(safe);
      return false;
    }
    reasoning += pending.slice(0, closing.index);
    pending = pending.slice(closing.index + closing[0].length).trimStart();
    state = "start";
    return true;
  };
  const tell = (): boolean => {
    const piece = tagged && text === "" ? pending.trimStart() : pending;
    pending = "";
    if (piece === "") return false;
    text += piece;
    onText(piece);
    return false;
  };
  const steps = { start: begin, reasoning: reason, text: tell };

  return {
    push: (piece) => {
      pending += piece;
      while (pending !== "" && steps[state]());
    },
    end: () => {
      if (state === "reasoning") reasoning += pending;
      else if (pending !== "") tell();
      pending = "";
      const closing = tagged ? null : closingTag.exec(text);
      if (closing === null) return { text, reasoning: reasoning.trim() };
      return { text: text.slice(closing.index + closing[0].length).trimStart(), reasoning: text.slice(0, closing.index).trim() };
    },
  };
}

function mayBecomeOpening(pending: string): boolean {
  const start = pending.trimStart();
  return openingTags.some((tag) => tag.startsWith(start));
}

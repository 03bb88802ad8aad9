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
  return new StreamSplitter(onText);
}

class StreamSplitter implements ReasoningSplitter {
  readonly #onText: (piece: string) => void;
  #state: "start" | "reasoning" | "text" = "start";
  #pending = "";
  #text = "";
  #reasoning = "";
  #tagged = false;

  constructor(onText: (piece: string) => void) {
    this.#onText = onText;
  }

  push(piece: string): void {
    this.#pending += piece;
    while (this.#pending !== "" && this.#step());
  }

  end(): { text: string; reasoning: string } {
    if (this.#state === "reasoning") this.#reasoning += this.#pending;
    else this.#tell();
    this.#pending = "";
    const closing = this.#tagged ? null : closingTag.exec(this.#text);
    if (closing === null) return { text: this.#text, reasoning: this.#reasoning.trim() };
    const after = this.#text.slice(closing.index + closing[0].length);
    return { text: after.trimStart(), reasoning: this.#text.slice(0, closing.index).trim() };
  }

  /** Does what can be done with the pending text; returns whether there may be more to do. */
  #step(): boolean {
    switch (this.#state) {
      case "start":
        return this.#begin();
      case "reasoning":
        return this.#reason();
      case "text":
        return this.#tell();
    }
  }

  #begin(): boolean {
    const opening = openingTag.exec(this.#pending);
    if (opening === null && mayBecomeOpening(this.#pending)) return false;
    this.#state = opening === null ? "text" : "reasoning";
    this.#tagged ||= opening !== null;
    this.#pending = this.#pending.slice(opening?.[0].length ?? 0);
    return true;
  }

  #reason(): boolean {
    const closing = closingTag.exec(this.#pending);
    if (closing === null) {
      // What may be the beginning of the closing tag stays pending.
      const safe = Math.max(0, this.#pending.length - longestClosingTag + 1);
      this.#reasoning += this.#pending.slice(0, safe);
      this.#pending = this.#pending.slice(safe);
      return false;
    }
    this.#reasoning += this.#pending.slice(0, closing.index);
    this.#pending = this.#pending.slice(closing.index + closing[0].length).trimStart();
    this.#state = "start";
    return true;
  }

  #tell(): boolean {
    const piece = this.#tagged && this.#text === "" ? this.#pending.trimStart() : this.#pending;
    this.#pending = "";
    if (piece === "") return false;
    this.#text += piece;
    this.#onText(piece);
    return false;
  }
}

function mayBecomeOpening(pending: string): boolean {
  const start = pending.trimStart();
  return openingTags.some((tag) => tag.startsWith(start));
}

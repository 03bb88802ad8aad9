import type { ActivationRow, RunState } from "@troupe/engine";
import type { Artifact, ArtifactRef, WatchedEvent } from "@troupe/schema";
import { describeArtifact } from "./describe-artifact.ts";
import { lastLine, oneLine } from "./terminal-text.ts";

/** Characters of a running text that are kept: enough for its last line. */
const kept = 2000;

/** Looks an artifact up; undefined: it can't be read, which was said already. */
export type ReadArtifact = (ref: ArtifactRef) => Artifact | undefined;

/** What there is to read beside each activation: what it writes now, or what it made. */
export class ActivationTexts {
  readonly #read: ReadArtifact;
  #state: RunState | undefined;
  readonly #running = new Map<number, { tail: string; characters: number }>();
  /** By id, with the output that was described: a resumed run may make another one. */
  readonly #made = new Map<number, { of: string; text: string }>();

  /** @param state what is known already; `see` brings newer ones. */
  constructor(read: ReadArtifact, state?: RunState) {
    this.#read = read;
    this.#state = state;
  }

  /** Takes an event in, after the state has. */
  see(event: WatchedEvent, state: RunState): void {
    this.#state = state;
    switch (event.kind) {
      case "call.delta": {
        const { tail, characters } = this.#running.get(event.activation) ?? { tail: "", characters: 0 };
        this.#running.set(event.activation, { tail: (tail + event.text).slice(-kept), characters: characters + event.text.length });
        break;
      }
      case "call.settled":
      case "activation.retried":
      case "activation.settled":
        this.#running.delete(event.activation);
        break;
      case "run.started":
      case "run.resumed":
      case "step":
      case "activation.began":
      case "call.started":
      case "tool.used":
      case "notice":
      case "run.ended":
        break;
    }
  }

  /** The last line of the text that is being written. */
  running(id: number): string {
    return lastLine(this.#running.get(id)?.tail ?? "");
  }

  /** About how many tokens the text that is being written has. */
  writing(id: number): number {
    return Math.ceil((this.#running.get(id)?.characters ?? 0) / 4);
  }

  /** What an activation that ended made, or why it made nothing. */
  made(id: number): string {
    const row = this.#state?.rows[id];
    if (row?.output === undefined) return oneLine((row?.error?.message ?? "").slice(0, 1000)).slice(0, 300);
    const known = this.#made.get(id);
    if (known?.of === row.output.hash) return known.text;
    const text = this.#describe(row, row.output);
    this.#made.set(id, { of: row.output.hash, text });
    return text;
  }

  #describe({ activation }: ActivationRow, output: ArtifactRef): string {
    const from = activation.inputs.find((input) => input.name === "artifact" || input.name === "previous");
    const before = from === undefined || "ref" in from ? from?.ref : this.#state?.rows[from.from]?.output;
    try {
      const made = this.#read(output);
      if (made === undefined) return "can't be read";
      return describeArtifact(made, before === undefined ? undefined : this.#read(before));
    } catch (error) {
      // Looking on must never end a run.
      return error instanceof Error ? oneLine(error.message) : "";
    }
  }
}

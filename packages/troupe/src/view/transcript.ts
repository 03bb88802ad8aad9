import type { ActivationRow, RunState } from "@troupe/engine";
import {
  type Artifact,
  type ArtifactRef,
  type ChatAnswer,
  type ChatMessage,
  chatAnswer,
  chatMessage,
  type EventOf,
  type RunEvent,
} from "@troupe/schema";
import { z } from "zod";
import type { ReadArtifact } from "./activation-texts.ts";

/** An input of an activation, and the activation that made it, if one did. */
export interface GivenInput {
  readonly name: string;
  readonly from: number | undefined;
}

/** A call of a model. */
export interface CallTurn {
  readonly kind: "call";
  readonly event: EventOf<"call.settled">;
  /** What this call sent besides what the call before it in the same attempt had sent and got. */
  readonly messages: readonly ChatMessage[];
  /** Absent when the call failed. */
  readonly answer: ChatAnswer | undefined;
}

/** What happened in an activation, one thing after another. */
export type Turn =
  | CallTurn
  | { readonly kind: "tool"; readonly event: EventOf<"tool.used"> }
  | { readonly kind: "retried"; readonly event: EventOf<"activation.retried"> };

/** All that an agent was given, was asked, answered and did in one activation. */
export interface Transcript {
  readonly row: ActivationRow;
  readonly given: readonly GivenInput[];
  readonly turns: readonly Turn[];
  readonly artifact: Artifact | undefined;
}

/**
 * The transcripts of a run's activations in the order of starting.
 *
 * @param only when given, only this activation.
 * @throws TroupeError `store_damaged` when an artifact of the log is missing.
 */
export function readTranscripts(events: readonly RunEvent[], state: RunState, read: ReadArtifact, only?: number): Transcript[] {
  // Two activations may make the same artifact; the newest one before the reader is meant.
  const makerOf = (ref: ArtifactRef, reader: ActivationRow): number | undefined =>
    state.rows.slice(0, reader.activation.id).findLast((row) => row.output?.hash === ref.hash)?.activation.id;
  const turns = collectTurns(events, read, only);
  const chosen = only === undefined ? state.rows : state.rows.filter((row) => row.activation.id === only);
  return chosen.map((row) => ({
    row,
    given: row.activation.inputs.map((input) => ({ name: input.name, from: "from" in input ? input.from : makerOf(input.ref, row) })),
    turns: turns.get(row.activation.id) ?? [],
    artifact: row.output === undefined ? undefined : read(row.output),
  }));
}

function collectTurns(events: readonly RunEvent[], read: ReadArtifact, only: number | undefined): Map<number, Turn[]> {
  const turns = new Map<number, Turn[]>();
  for (const event of events) {
    if (!("activation" in event) || (only !== undefined && event.activation !== only)) continue;
    const list = turns.get(event.activation) ?? [];
    turns.set(event.activation, list);
    if (event.kind === "call.settled") list.push(readCall(event, list, read));
    else if (event.kind === "tool.used") list.push({ kind: "tool", event });
    else if (event.kind === "activation.retried") list.push({ kind: "retried", event });
  }
  return turns;
}

function readCall(event: EventOf<"call.settled">, before: readonly Turn[], read: ReadArtifact): CallTurn {
  const sent = event.messages === undefined ? [] : (readJson(z.array(chatMessage), read(event.messages)) ?? []);
  const answer = event.answer === undefined ? undefined : readJson(chatAnswer, read(event.answer));
  const earlier = before
    .filter((turn) => turn.kind === "call")
    .filter((turn) => turn.event.attempt === event.attempt && turn.answer !== undefined);
  const known = earlier.reduce((sum, turn) => sum + turn.messages.length + 1, 0);
  const isNext = known > 0 && sent.length > known && sent[known - 1]?.role === "assistant";
  return { kind: "call", event, messages: isNext ? sent.slice(known) : sent, answer };
}

/** Undefined for an artifact that can't be read. */
function readJson<T>(schema: z.ZodType<T>, artifact: Artifact | undefined): T | undefined {
  if (artifact === undefined) return undefined;
  return schema.parse(artifact.kind === "json" ? artifact.value : undefined);
}

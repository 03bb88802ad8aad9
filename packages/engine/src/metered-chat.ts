import {
  type ArtifactRef,
  type ChatAnswer,
  type ChatRequest,
  chatAnswer,
  type Clock,
  type ModelClient,
  noUsage,
  type RunStore,
  toTroupeError,
} from "@troupe/schema";
import type { Attempt } from "./attempts.ts";
import type { Budget } from "./budget.ts";
import type { Reservation } from "./budget-scope.ts";
import { callSeed } from "./call-seed.ts";
import { failedCallUsage } from "./failed-call-usage.ts";
import type { Journal } from "./journal.ts";
import { jsonArtifact } from "./json-artifact.ts";
import { requestHash } from "./request-hash.ts";
import { toFailure } from "./to-failure.ts";
import type { Watchers } from "./watchers.ts";

/** Finds the answer that an earlier session has logged for a call. */
export type FindAnswer = (call: CallName) => ArtifactRef | undefined;

/** A call with what it asks. */
export interface CallName {
  readonly activation: number;
  readonly attempt: number;
  readonly call: number;
  /** The model's name in troupe.yaml. */
  readonly model: string;
  /** SHA-256 of the request. */
  readonly request: string;
}

/** What a {@link MeteredChat} is made of. */
export interface MeteredChatParts {
  /** The run's name. */
  readonly run: string;
  readonly seed: number;
  readonly models: ModelClient;
  readonly store: RunStore;
  readonly clock: Clock;
  readonly budget: Budget;
  readonly journal: Journal;
  readonly watchers: Watchers;
  readonly findAnswer: FindAnswer;
}

/** Model calls within the run's limits, each logged before it is sent and again before its answer is given on. */
export class MeteredChat {
  readonly #parts: MeteredChatParts;

  constructor(parts: MeteredChatParts) {
    this.#parts = parts;
  }

  async ask(attempt: Attempt, asked: ChatRequest): Promise<ChatAnswer> {
    attempt.throwIfOver();
    const { activation, number } = attempt;
    const call = attempt.calls++;
    const request = { ...asked, seed: asked.seed ?? callSeed(this.#parts.seed, { activation, attempt: number, call }) };
    const name: CallName = { activation, attempt: number, call, model: asked.model, request: requestHash(request) };
    const logged = this.#parts.findAnswer(name);
    if (logged !== undefined) return this.#read(logged);
    const reserved = this.#parts.models.estimate(request);
    const release = await this.#parts.budget.reserve(reserved, name, attempt.signal);
    try {
      await this.#parts.journal.commit({ kind: "call.started", ...name, reserved });
      return await this.#send({ attempt, name, request, reserved });
    } finally {
      release();
    }
  }

  async #send(sent: SentCall): Promise<ChatAnswer> {
    const { models, clock, watchers, journal, run } = this.#parts;
    const { attempt } = sent;
    const seen = { characters: 0, startedAt: clock.now(), sent: false };
    const onDelta = (text: string): void => {
      seen.characters += text.length;
      if (!attempt.ended) watchers.delta({ kind: "call.delta", activation: attempt.activation, text });
    };
    let answer: ChatAnswer;
    try {
      attempt.throwIfOver();
      seen.sent = true;
      answer = await models.chat(sent.request, { signal: attempt.signal, onDelta, run });
    } catch (thrown) {
      const error = attempt.stopped ?? toTroupeError(thrown);
      const seconds = Math.max(0, clock.now() - seen.startedAt) / 1000;
      const usage = seen.sent ? failedCallUsage({ ...sent, ...seen, error, seconds }) : noUsage;
      await journal.commit({ kind: "call.settled", ...sent.name, endpoint: "", error: toFailure(error), usage });
      throw error;
    }
    const messages = journal.put(jsonArtifact(sent.request.messages));
    const kept = journal.put(jsonArtifact(answer));
    const { endpoint, usage } = answer;
    await journal.commit({ kind: "call.settled", ...sent.name, messages, answer: kept, endpoint, usage });
    return answer;
  }

  #read(ref: ArtifactRef): ChatAnswer {
    const artifact = this.#parts.store.get(ref);
    return chatAnswer.parse(artifact.kind === "json" ? artifact.value : undefined);
  }
}

interface SentCall {
  readonly attempt: Attempt;
  readonly name: CallName;
  readonly request: ChatRequest;
  readonly reserved: Reservation;
}

import {
  type Activation,
  type ActivationContext,
  type AgentCard,
  type ArtifactRef,
  type ChatAnswer,
  type ChatRequest,
  chatAnswer,
  createRandom,
  type ErrorCode,
  type ModelClient,
  type ModelInfo,
  type PublicTask,
  type Random,
  type RunStore,
  type ToolReport,
  TroupeError,
} from "@troupe/schema";
import { callSeed } from "./call-seed.ts";
import type { Recording } from "./recording.ts";
import { requestHash } from "./request-hash.ts";
import type { RunHeader } from "./run-view.ts";

/** What a {@link ReplayContext} is made of. */
export interface ReplayContextParts {
  readonly header: RunHeader;
  readonly store: Pick<RunStore, "get">;
  /** Asked what is known of a model, where the log doesn't say. */
  readonly models: Pick<ModelClient, "info">;
  readonly recording: Recording;
  /** The logged output of an activation. */
  readonly outputOf: (id: number) => ArtifactRef | undefined;
  readonly signal: AbortSignal;
}

/** An activation that runs again: its inputs and its model's answers come from the log, and what it does is kept for comparison. */
export class ReplayContext implements ActivationContext {
  readonly activation: Activation;
  readonly attempt: number;
  readonly inputs: ActivationContext["inputs"];
  readonly random: Random;
  /** Tools used so far. */
  readonly tools: ToolReport[] = [];
  /** Calls so far, answered or not. */
  calls = 0;
  /** Number of the first call that the log has no answer to. */
  missed: number | undefined;
  readonly #parts: ReplayContextParts;

  constructor(parts: ReplayContextParts, activation: Activation) {
    const { header, store, recording, outputOf } = parts;
    this.#parts = parts;
    this.activation = activation;
    this.attempt = recording.attemptOf(activation.id).number;
    this.random = createRandom(header.seed, `activation/${activation.id}`);
    this.inputs = activation.inputs.map((input) => {
      const ref = "ref" in input ? input.ref : outputOf(input.from);
      if (ref === undefined) throw new TroupeError("store_damaged", `Activation ${activation.id} ran without its input ${input.name}.`);
      return { name: input.name, artifact: store.get(ref) };
    });
  }

  get signal(): AbortSignal {
    return this.#parts.signal;
  }

  get task(): PublicTask {
    return this.#parts.header.task;
  }

  get card(): AgentCard | undefined {
    const { agent } = this.activation;
    return agent === undefined ? undefined : this.#parts.recording.attemptOf(this.activation.id).agents[agent];
  }

  async chat(asked: ChatRequest): Promise<ChatAnswer> {
    const { header, recording, store } = this.#parts;
    const call = this.calls++;
    const of = { activation: this.activation.id, attempt: this.attempt, call };
    const request = requestHash({ ...asked, seed: asked.seed ?? callSeed(header.seed, of) });
    const recorded = recording.call({ ...of, model: asked.model, request });
    if (recorded === undefined) {
      this.missed ??= call;
      throw new TroupeError("cancelled", `The log has no answer to what call ${call} of activation ${of.activation} asks.`);
    }
    if ("error" in recorded) {
      const { code, message, retryable } = recorded.error;
      throw new TroupeError(code as ErrorCode, message, { retryable });
    }
    const artifact = store.get(recorded.answer);
    return chatAnswer.parse(artifact.kind === "json" ? artifact.value : undefined);
  }

  async modelInfo(model: string): Promise<ModelInfo> {
    const { recording, models, signal } = this.#parts;
    return recording.modelInfo(this.activation.id, model) ?? models.info(model, signal);
  }

  report(tool: ToolReport): void {
    this.tools.push(tool);
  }
}

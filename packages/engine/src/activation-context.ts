import {
  type Activation,
  type ActivationContext,
  type AgentCard,
  type Artifact,
  type ArtifactRef,
  type ChatAnswer,
  type ChatRequest,
  createRandom,
  type ModelClient,
  type ModelInfo,
  type PublicTask,
  type Random,
  type RunStore,
  type ToolReport,
  TroupeError,
} from "@troupe/schema";
import type { Attempt } from "./attempts.ts";
import type { Journal } from "./journal.ts";
import type { MeteredChat } from "./metered-chat.ts";
import type { LiveRunState } from "./run-state.ts";
import type { ModelFacts } from "./model-facts.ts";
import type { RunHeader } from "./run-view.ts";

/** What contexts are made of. */
export interface ContextParts {
  readonly header: RunHeader;
  readonly state: LiveRunState;
  readonly store: RunStore;
  readonly models: ModelClient;
  readonly journal: Journal;
  readonly chat: MeteredChat;
  readonly facts: ModelFacts;
}

/** What an attempt may touch; whatever costs something is made when it is first asked for. */
export class AttemptContext implements ActivationContext {
  readonly activation: Activation;
  readonly attempt: number;
  readonly #parts: ContextParts;
  readonly #attempt: Attempt;
  #inputs: ActivationContext["inputs"] | undefined;
  #random: Random | undefined;

  constructor(parts: ContextParts, attempt: Attempt) {
    this.#parts = parts;
    this.#attempt = attempt;
    this.activation = parts.state.row(attempt.activation).activation;
    this.attempt = attempt.number;
  }

  get signal(): AbortSignal {
    return this.#attempt.signal;
  }

  get task(): PublicTask {
    return this.#parts.header.task;
  }

  get card(): AgentCard | undefined {
    const { agent } = this.activation;
    return agent === undefined ? undefined : this.#parts.state.agents[agent];
  }

  get inputs(): ActivationContext["inputs"] {
    this.#inputs ??= this.activation.inputs.map((input) => ({
      name: input.name,
      artifact: this.#read("ref" in input ? input.ref : this.#parts.state.row(input.from).output),
    }));
    return this.#inputs;
  }

  get random(): Random {
    this.#random ??= createRandom(this.#parts.header.seed, `activation/${this.activation.id}`);
    return this.#random;
  }

  chat(request: ChatRequest): Promise<ChatAnswer> {
    return this.#parts.chat.ask(this.#attempt, request);
  }

  async modelInfo(model: string): Promise<ModelInfo> {
    const info = await this.#parts.models.info(model, this.#attempt.signal);
    if (!this.#attempt.ended) this.#parts.facts.note(model, info);
    return info;
  }

  report(tool: ToolReport): void {
    if (this.#attempt.ended) return;
    this.#parts.journal.add({ kind: "tool.used", activation: this.activation.id, attempt: this.attempt, ...tool });
  }

  #read(ref: ArtifactRef | undefined): Artifact {
    if (ref !== undefined) return this.#parts.store.get(ref);
    throw new TroupeError("internal", `Activation ${this.activation.id} began before all its inputs were there.`);
  }
}

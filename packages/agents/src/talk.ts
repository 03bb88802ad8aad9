import {
  type ActivationContext,
  type AgentCard,
  type ArtifactKind,
  type ChatAnswer,
  type ChatMessage,
  type ToolSpec,
  TroupeError,
} from "@troupe/schema";
import { readMaterial } from "./material.ts";
import { estimateMessages, fitSections, type Section } from "./prompts/sections.ts";

/** From this context size on, an answer that holds files may be twice as long. */
const largeContext = 8192;
/** Tokens that a line of code has, on the safe side. */
const tokensPerLine = 14;
/** Tokens kept free for what the estimate gets wrong. */
const spareTokens = 64;

/** What one call needs besides its messages. */
export interface AskOptions {
  readonly tools?: readonly ToolSpec[];
  readonly minTemperature?: number;
}

/** The calls that one activation may make to its model. */
export class Talk {
  /** Whether the model calls tools by itself. */
  readonly tools: "native" | "text";
  readonly contextTokens: number;
  readonly #context: ActivationContext;
  readonly #card: AgentCard;
  readonly #system: ChatMessage;
  readonly #maxTokens: number;
  #left: number;

  private constructor(
    context: ActivationContext,
    card: AgentCard,
    model: { contextTokens: number; tools: "native" | "text"; maxTokens: number },
  ) {
    this.#context = context;
    this.#card = card;
    this.#system = { role: "system", content: systemText(card, context) };
    this.contextTokens = model.contextTokens;
    this.tools = model.tools;
    this.#maxTokens = model.maxTokens;
    this.#left = card.turns;
  }

  /** Asks what is known of the model and sets the bounds of the talk. */
  static async open(context: ActivationContext, card: AgentCard, output: ArtifactKind): Promise<Talk> {
    const info = await context.modelInfo(context.activation.model ?? card.model);
    const wanted = card.maxTokens ?? (output === "files" && info.contextTokens >= largeContext ? 2048 : 1024);
    return new Talk(context, card, { ...info, maxTokens: Math.max(16, Math.min(wanted, Math.floor(info.contextTokens / 2))) });
  }

  /** Lines of code that an answer has room for, roughly. */
  get answerLines(): number {
    return Math.max(10, Math.floor(this.#maxTokens / tokensPerLine / 10) * 10);
  }

  /** Calls that are left, from `turns` of the card. */
  get left(): number {
    return this.#left;
  }

  /** Who the agent is and how it works as system message and the sections, shortened to what fits, as the user's. */
  compose(sections: readonly Section[]): ChatMessage[] {
    const room = this.#promptTokens - estimateMessages([this.#system, { role: "user", content: "" }]);
    return [this.#system, { role: "user", content: fitSections(sections, room) }];
  }

  /** Whether messages fit the model's context beside an answer. */
  fits(messages: readonly ChatMessage[]): boolean {
    return estimateMessages(messages) <= this.#promptTokens;
  }

  /** Makes one call; `minTemperature` is for a model that repeats itself. */
  async ask(messages: readonly ChatMessage[], { tools = [], minTemperature = 0 }: AskOptions = {}): Promise<ChatAnswer> {
    const { activation, signal } = this.#context;
    signal.throwIfAborted();
    if (this.#left <= 0) throw new TroupeError("internal", `${this.#card.name} has no calls left.`);
    this.#left--;
    return this.#context.chat({
      model: activation.model ?? this.#card.model,
      messages,
      temperature: Math.max(minTemperature, this.#card.temperature ?? activation.temperature ?? 0.2),
      maxTokens: this.#maxTokens,
      ...(tools.length > 0 ? { tools } : {}),
    });
  }

  get #promptTokens(): number {
    return this.contextTokens - this.#maxTokens - spareTokens;
  }
}

/** The card's instructions, behind the profile where the agent has one: first who it is, then what its role asks of it. */
function systemText({ instructions }: AgentCard, context: ActivationContext): string {
  const { profile } = readMaterial(context);
  return profile === undefined ? instructions.trim() : `${profile}\n\n${instructions.trim()}`;
}

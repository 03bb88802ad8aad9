import { z } from "zod";
import { type Usage, usage } from "./usage.ts";

/** A tool call that a model asks for. */
export const toolCall = z.strictObject({
  id: z.string().describe("Name of the call within the answer"),
  name: z.string().describe("The tool"),
  arguments: z.string().describe("JSON text as the model wrote it; untrusted"),
});
export type ToolCall = z.infer<typeof toolCall>;

/** One message of a conversation with a model. */
export const chatMessage = z.strictObject({
  role: z.enum(["system", "user", "assistant", "tool"]),
  content: z.string(),
  toolCalls: z.array(toolCall).optional().describe("Calls of an assistant message"),
  toolCallId: z.string().optional().describe("Which call a tool message answers"),
});
export type ChatMessage = z.infer<typeof chatMessage>;

/** A tool as a model sees it. */
export interface ToolSpec {
  readonly name: string;
  readonly description: string;
  /** JSON Schema of the arguments. */
  readonly parameters: Record<string, unknown>;
}

/** A request to a model. */
export interface ChatRequest {
  /** The model's name in troupe.yaml. */
  readonly model: string;
  readonly messages: readonly ChatMessage[];
  /** 0 to 2. */
  readonly temperature?: number;
  readonly topP?: number;
  /** Tokens the answer may have. */
  readonly maxTokens: number;
  readonly stop?: readonly string[];
  readonly seed?: number;
  readonly tools?: readonly ToolSpec[];
  /** JSON Schema that the answer's text must obey. */
  readonly responseSchema?: Record<string, unknown>;
}

/** A model's answer. */
export const chatAnswer = z.strictObject({
  text: z.string().describe("The answer, without reasoning"),
  reasoning: z.string().optional().describe("Reasoning text, never passed on to other agents"),
  toolCalls: z.array(toolCall).describe("Tools it wants to use"),
  finish: z.enum(["stop", "length", "tools", "filter"]).describe("Why it ended"),
  usage: usage.describe("What the call cost (calls: 1)"),
  endpoint: z.string().describe("Who answered"),
});
export type ChatAnswer = z.infer<typeof chatAnswer>;

/** What is known of a model. */
export interface ModelInfo {
  /** Tokens that prompt and answer may have together. */
  readonly contextTokens: number;
  /** Whether it uses the tool-call format or fenced blocks in its text. */
  readonly tools: "native" | "text";
}

/** Options of one call. */
export interface ChatOptions {
  readonly signal: AbortSignal;
  /** Told each piece of text as it arrives. */
  readonly onDelta?: (text: string) => void;
  /** The run that asks: where calls have to wait, those of several runs take turns. Default: all calls without one count as of one run. */
  readonly run?: string | undefined;
}

/** Texts to be turned into vectors. */
export interface EmbedRequest {
  /** The model's name in troupe.yaml; it must be an embedding model. */
  readonly model: string;
  readonly texts: readonly string[];
}

/** The vectors of some texts. */
export interface EmbedAnswer {
  /** One for each text, in their order: all of one length, each of Euclidean norm 1, so that the dot product of two is their cosine. */
  readonly vectors: readonly Float32Array[];
  /** What the calls cost: prompt tokens only. */
  readonly usage: Usage;
  /** Who answered. */
  readonly endpoint: string;
}

/** The port to every model. */
export interface ModelClient {
  /**
   * Asks a model and streams its answer.
   *
   * @throws TroupeError with a `model_…` code, or the signal's reason when aborted.
   */
  chat(request: ChatRequest, options: ChatOptions): Promise<ChatAnswer>;
  /**
   * Turns texts into vectors that are near each other when the texts mean the like.
   *
   * @throws TroupeError with a `model_…` code (`model_context_overflow` when a text is too long), or the signal's reason when aborted.
   */
  embed(request: EmbedRequest, options: { readonly signal: AbortSignal }): Promise<EmbedAnswer>;
  /** What is known of a model; may start the embedded one or ask the server. */
  info(model: string, signal: AbortSignal): Promise<ModelInfo>;
  /** An upper bound of what a request can cost, without asking anybody: tokens are estimated from the text's length. */
  estimate(request: ChatRequest): { tokens: number; usd: number };
  /** Ends connections and lets the embedded model go. */
  close(): Promise<void>;
}

import {
  type ChatAnswer,
  type ChatOptions,
  type ChatRequest,
  type Clock,
  type EmbedAnswer,
  type EmbedRequest,
  type ModelClient,
  type ModelInfo,
  noUsage,
  systemClock,
  TroupeError,
} from "@troupe/schema";
import { embedWords } from "./embed-words.ts";
import { untilAborted } from "./until-aborted.ts";

/** One scripted answer: the text, or any part of an answer, or the error that the call ends with. */
export type ScriptedAnswer = string | Partial<ChatAnswer> | Error;

/** What a scripted model answers: a list used up call by call, or a function of the request and the call's number from 0. */
export type ModelScript =
  | readonly ScriptedAnswer[]
  | ((request: ChatRequest, call: number, signal: AbortSignal) => ScriptedAnswer | Promise<ScriptedAnswer>);

/** Options of {@link createScriptedModel}. */
export interface ScriptedModelOptions {
  /** Milliseconds before each answer, by the clock. Default 0. */
  readonly delayMs?: number | ((request: ChatRequest, call: number) => number);
  /** Default: the machine's clock. */
  readonly clock?: Clock;
  /** What `info` answers. Default: 8192 tokens, tools as text. */
  readonly info?: Partial<ModelInfo>;
  /** US dollars per token. Default 0. */
  readonly usdPerToken?: number;
}

/** A {@link ModelClient} for tests that answers from a script. */
export interface ScriptedModel extends ModelClient {
  /** Every request so far, in the order of the calls. */
  readonly requests: readonly ChatRequest[];
  /** Calls that are being answered now. */
  readonly running: number;
  /** The most calls that were being answered at once. */
  readonly peak: number;
  /** Calls that ended by an abort. */
  readonly aborted: number;
  /** Whether `close` was called. */
  readonly closed: boolean;
}

/**
 * Makes a model that answers from a script: no network, no randomness, tokens counted as words.
 *
 * The answer is told to `onDelta` word by word. Embeddings count words, so that texts with words in common are near each other. An aborted call rejects with the signal's reason.
 *
 * @throws TroupeError `internal` (from `chat`) when a list is used up.
 * @example
 * const model = createScriptedModel(["a plan", new TroupeError("model_failed", "down")]);
 * const echo = createScriptedModel((request) => request.messages.at(-1)?.content ?? "");
 */
export function createScriptedModel(script: ModelScript, options: ScriptedModelOptions = {}): ScriptedModel {
  const requests: ChatRequest[] = [];
  const model = {
    requests,
    running: 0,
    peak: 0,
    aborted: 0,
    closed: false,
    chat: async (request: ChatRequest, chatOptions: ChatOptions): Promise<ChatAnswer> => {
      const call = requests.push(request) - 1;
      model.running++;
      model.peak = Math.max(model.peak, model.running);
      try {
        return await answer({ script, request, call, options }, chatOptions);
      } catch (thrown) {
        if (chatOptions.signal.aborted) model.aborted++;
        throw thrown;
      } finally {
        model.running--;
      }
    },
    embed: async (request: EmbedRequest, { signal }: { readonly signal: AbortSignal }): Promise<EmbedAnswer> => {
      signal.throwIfAborted();
      return embedByWords(request, options);
    },
    info: async (): Promise<ModelInfo> => ({ contextTokens: 8192, tools: "text", ...options.info }),
    estimate: (request: ChatRequest) => {
      const tokens = promptWords(request) + request.maxTokens;
      return { tokens, usd: tokens * (options.usdPerToken ?? 0) };
    },
    close: async () => {
      model.closed = true;
    },
  };
  return model;
}

function embedByWords({ texts }: EmbedRequest, { usdPerToken = 0 }: ScriptedModelOptions): EmbedAnswer {
  const inputTokens = texts.reduce((sum, text) => sum + countWords(text), 0);
  const usage = { ...noUsage, calls: 1, inputTokens, usd: inputTokens * usdPerToken };
  return { vectors: texts.map(embedWords), usage, endpoint: "scripted" };
}

interface ScriptedCall {
  readonly script: ModelScript;
  readonly request: ChatRequest;
  readonly call: number;
  readonly options: ScriptedModelOptions;
}

async function answer({ script, request, call, options }: ScriptedCall, { signal, onDelta }: ChatOptions): Promise<ChatAnswer> {
  const { clock = systemClock, delayMs = 0, usdPerToken = 0 } = options;
  const began = clock.now();
  signal.throwIfAborted();
  const delay = typeof delayMs === "function" ? delayMs(request, call) : delayMs;
  if (delay > 0) await clock.sleep(delay, signal);
  const scripted = await untilAborted(Promise.resolve(nextAnswer(script, request, call, signal)), signal);
  if (scripted instanceof Error) throw scripted;
  const whole = completeAnswer(scripted, request, Math.max(0, clock.now() - began) / 1000, usdPerToken);
  if (onDelta !== undefined) for (const piece of whole.text.match(/\s*\S+\s*$|\s*\S+|\s+$/g) ?? []) onDelta(piece);
  return whole;
}

function nextAnswer(
  script: ModelScript,
  request: ChatRequest,
  call: number,
  signal: AbortSignal,
): ScriptedAnswer | Promise<ScriptedAnswer> {
  if (typeof script === "function") return script(request, call, signal);
  const next = script[call];
  if (next === undefined) {
    throw new TroupeError(
      "internal",
      `The scripted model has ${script.length} answers and was called once more. Add an answer to the script.`,
    );
  }
  return next;
}

function completeAnswer(scripted: string | Partial<ChatAnswer>, request: ChatRequest, seconds: number, usdPerToken: number): ChatAnswer {
  const part = typeof scripted === "string" ? { text: scripted } : scripted;
  const inputTokens = promptWords(request);
  const outputTokens = countWords(part.text ?? "") + countWords(part.reasoning ?? "");
  const usd = (inputTokens + outputTokens) * usdPerToken;
  return {
    text: "",
    toolCalls: [],
    finish: (part.toolCalls ?? []).length > 0 ? "tools" : "stop",
    usage: { calls: 1, inputTokens, outputTokens, usd, seconds, estimated: false },
    endpoint: "scripted",
    ...part,
  };
}

function promptWords(request: ChatRequest): number {
  return request.messages.reduce((sum, message) => sum + countWords(message.content), 0);
}

function countWords(text: string): number {
  return text.match(/\S+/g)?.length ?? 0;
}

import {
  type ChatAnswer,
  type ChatOptions,
  type ChatRequest,
  type Clock,
  type EmbedAnswer,
  isTroupeError,
  type Price,
  TroupeError,
} from "@troupe/schema";
import type { OpenAI } from "openai";
import { boundedFetch } from "./bounded-response.ts";
import { toChatBody } from "./chat-body.ts";
import { type CollectedAnswer, createChatCollector } from "./chat-stream.ts";
import { embedTexts } from "./embed-call.ts";
import { type GuardOptions, guardCall } from "./guarded-call.ts";
import { type ListedModel, listModels } from "./list-models.ts";

/** Options of {@link createEndpoint}. */
export interface EndpointOptions {
  /** Base URL, such as http://127.0.0.1:8000/v1. */
  readonly url: string;
  /** What answers call it; default: the URL. */
  readonly name?: string | undefined;
  /** The model's name on the server. */
  readonly model: string;
  /** The key, if one is needed. */
  readonly key?: string | undefined;
  /** Environment variable that the key comes from, for messages. */
  readonly apiKeyEnv?: string | undefined;
  readonly price?: Price | undefined;
  /** Seconds without a token before a call is given up. */
  readonly timeoutSeconds: number;
  /** Extra fields of every request body. */
  readonly extraBody?: Readonly<Record<string, unknown>> | undefined;
  readonly clock: Clock;
}

/** One OpenAI-compatible server that serves one model. */
export interface Endpoint {
  readonly url: string;
  /**
   * Asks the model.
   *
   * @throws TroupeError with a `model_…` code, or the signal's reason when aborted.
   */
  chat(request: ChatRequest, options: ChatOptions): Promise<ChatAnswer>;
  /**
   * Turns texts into vectors of norm 1.
   *
   * @throws TroupeError with a `model_…` code, or the signal's reason when aborted.
   */
  embed(texts: readonly string[], signal: AbortSignal): Promise<EmbedAnswer>;
  /** The models it serves, or nothing when it does not tell within five seconds. */
  models(signal: AbortSignal): Promise<ListedModel[] | undefined>;
}

const listTimeoutMs = 5000;
/** The longest time a Node timer can have; our own watch on tokens takes the place of the library's time limit. */
const neverMs = 2 ** 31 - 1;

/** Makes the client of one server; nothing is sent before the first call. */
export function createEndpoint(options: EndpointOptions): Endpoint {
  const { url, key, clock } = options;
  let connection: Promise<OpenAI> | undefined;
  const models = (signal: AbortSignal) => listModels({ url, key, signal, timeoutMs: listTimeoutMs });

  const explain = async (thrown: unknown, signal: AbortSignal): Promise<never> => {
    signal.throwIfAborted();
    throw isTroupeError(thrown, "model_not_found") ? await withModelList(thrown, models, signal) : thrown;
  };

  const chat = async (request: ChatRequest, { signal, onDelta }: ChatOptions): Promise<ChatAnswer> => {
    signal.throwIfAborted();
    connection ??= connect(options);
    const began = clock.now();
    const call = { request, signal, onDelta, options, client: await connection };
    const answer = await streamChat(call).catch((thrown: unknown) => explain(thrown, signal));
    const { tokens, ...parts } = answer;
    const usd = (tokens.inputTokens * (options.price?.input ?? 0) + tokens.outputTokens * (options.price?.output ?? 0)) / 1e6;
    return {
      ...parts,
      usage: { calls: 1, ...tokens, usd, seconds: Math.max(0, clock.now() - began) / 1000 },
      endpoint: options.name ?? url,
    };
  };
  const embed: Endpoint["embed"] = async (texts, signal) => {
    signal.throwIfAborted();
    const client = () => (connection ??= connect(options));
    const guard = guardOf(options, signal, "a list of embeddings");
    const { model, extraBody, price } = options;
    const call = { client, model, texts, guard, extraBody, inputPrice: price?.input ?? 0 };
    const answer = await embedTexts(call).catch((thrown: unknown) => explain(thrown, signal));
    return { ...answer, endpoint: options.name ?? url };
  };
  return { url, chat, embed, models };
}

async function connect({ url, key }: EndpointOptions): Promise<OpenAI> {
  const { OpenAI } = await import("openai");
  return new OpenAI({
    baseURL: url,
    // The library insists on a key; without one of ours, and without looking for one in the environment, it sends no header.
    apiKey: key ?? "none",
    adminAPIKey: null,
    organization: null,
    project: null,
    ...(key === undefined ? { defaultHeaders: { authorization: null } } : {}),
    fetch: boundedFetch,
    maxRetries: 0,
    timeout: neverMs,
    logLevel: "off",
  });
}

interface StreamCall {
  readonly client: OpenAI;
  readonly request: ChatRequest;
  readonly signal: AbortSignal;
  readonly onDelta: ((text: string) => void) | undefined;
  readonly options: EndpointOptions;
}

async function streamChat({ client, request, signal, onDelta, options }: StreamCall): Promise<CollectedAnswer> {
  return guardCall(guardOf(options, signal, "a chat stream"), async (guard) => {
    const collector = createChatCollector(request, (piece) => onDelta?.(piece));
    const body = { ...toChatBody(request, options.model), ...options.extraBody, stream: true as const };
    const stream = await client.chat.completions.create(body, { signal: guard.signal });
    for await (const chunk of stream) {
      guard.began();
      if (collector.push(chunk)) guard.touch();
    }
    guard.signal.throwIfAborted();
    return collector.end();
  });
}

function guardOf(options: EndpointOptions, signal: AbortSignal, expected: string): GuardOptions {
  const { url, model, apiKeyEnv, key, clock, timeoutSeconds } = options;
  return { url, model, apiKeyEnv, key, clock, signal, expected, idleMs: timeoutSeconds * 1000, silence: () => silence(options) };
}

function silence({ url, timeoutSeconds }: EndpointOptions): TroupeError {
  return new TroupeError(
    "model_timeout",
    `${url} sent no token for ${timeoutSeconds} s. Raise \`timeoutSeconds\`, or use a smaller model.`,
  );
}

async function withModelList(error: TroupeError, models: Endpoint["models"], signal: AbortSignal): Promise<TroupeError> {
  const listed = await models(signal);
  const hint =
    listed === undefined
      ? "It does not list its models either: check that the URL ends where /chat/completions begins."
      : listed.length === 0
        ? "It serves nothing: load a model there."
        : `It serves: ${listed.map(({ id }) => id).join(", ")}. Name one of them as \`model\` in troupe.yaml.`;
  return new TroupeError(error.code, `${error.message} ${hint}`, { cause: error.cause, details: error.details });
}

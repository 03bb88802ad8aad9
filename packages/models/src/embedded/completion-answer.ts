import { randomUUID } from "node:crypto";
import type { Context } from "hono";
import { type SSEStreamingApi, streamSSE } from "hono/streaming";
import { linkSignals } from "../linked-signal.ts";
import type { GenerateResult, PreparedAnswer } from "./inference.ts";

/** A request that is about to be answered. */
export interface CompletionCall {
  readonly prepared: PreparedAnswer;
  readonly model: string;
  /** Aborted when the server ends. */
  readonly signal: AbortSignal;
  /** To be called when the request has ended in any way. */
  readonly ended: () => void;
}

/** Comments that keep the connection from looking dead while a request waits or a long prompt is read. */
const keepAliveMs = 10_000;

/** Answers with the whole text in one JSON body. */
export async function answerAtOnce(context: Context, { prepared, model, signal, ended }: CompletionCall): Promise<Response> {
  const either = linkSignals(signal, context.req.raw.signal);
  try {
    let text = "";
    const onText = (piece: string) => {
      text += piece;
    };
    const result = await prepared.generate({ signal: either.signal, onBegin: () => undefined, onText });
    const message = { role: "assistant", content: text };
    return context.json({
      ...head("chat.completion", model),
      choices: [{ index: 0, message, finish_reason: result.finish }],
      usage: usageOf(prepared, result),
    });
  } finally {
    either.release();
    ended();
  }
}

/** Answers with an event stream, one chunk for each piece of text, the usage last. */
export function answerInStream(context: Context, { prepared, model, signal, ended }: CompletionCall): Response {
  const shared = head("chat.completion.chunk", model);
  return streamSSE(context, async (stream) => {
    const gone = new AbortController();
    stream.onAbort(() => gone.abort());
    const either = linkSignals(signal, gone.signal, context.req.raw.signal);
    const send = (chunk: object) => void stream.writeSSE({ data: JSON.stringify({ ...shared, ...chunk }) });
    const delta = (part: object, finish: string | null = null) => send({ choices: [{ index: 0, delta: part, finish_reason: finish }] });
    const keepAlive = setInterval(() => void stream.write(": waiting\n\n"), keepAliveMs);
    try {
      const result = await prepared.generate({
        signal: either.signal,
        onBegin: () => delta({ role: "assistant", content: "" }),
        onText: (content) => delta({ content }),
      });
      delta({}, result.finish);
      send({ choices: [], usage: usageOf(prepared, result) });
      await stream.writeSSE({ data: "[DONE]" });
    } catch (thrown) {
      await sendError(stream, thrown);
    } finally {
      clearInterval(keepAlive);
      either.release();
      ended();
    }
  });
}

async function sendError(stream: SSEStreamingApi, thrown: unknown): Promise<void> {
  const message = thrown instanceof Error ? thrown.message : "the server ends";
  await stream.writeSSE({ data: JSON.stringify({ error: { message, type: "server_error", param: null, code: null } }) });
}

function head(object: string, model: string) {
  return { id: `chatcmpl-${randomUUID()}`, object, created: Math.floor(Date.now() / 1000), model };
}

function usageOf({ promptTokens }: PreparedAnswer, { completionTokens, cachedTokens }: GenerateResult) {
  return {
    prompt_tokens: promptTokens,
    completion_tokens: completionTokens,
    total_tokens: promptTokens + completionTokens,
    prompt_tokens_details: { cached_tokens: cachedTokens },
  };
}

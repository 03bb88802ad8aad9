import { type ChatAnswer, type ChatRequest, type ToolCall, TroupeError, type Usage } from "@troupe/schema";
import { z } from "zod";
import { estimatePromptTokens, estimateTokens } from "./estimate-tokens.ts";
import { createReasoningSplitter, type ReasoningSplitter } from "./reasoning-splitter.ts";
import { createToolCallCollector } from "./tool-call-collector.ts";

const text = z.string().nullish();
const toolCallDelta = z.object({
  index: z.number().int().nullish(),
  id: text,
  function: z.object({ name: text, arguments: z.unknown() }).nullish(),
});
const deltaSchema = z.object({ content: text, reasoning_content: text, reasoning: text, tool_calls: z.array(toolCallDelta).nullish() });
const choice = z.object({ delta: deltaSchema.nullish(), finish_reason: text });
const count = z.number().int().nonnegative();
const usageSchema = z.object({ prompt_tokens: count, completion_tokens: count });
const chunkSchema = z.object({ choices: z.array(choice).nullish(), usage: usageSchema.nullish().catch(undefined) });

/** More than any tokenizer puts into one token, even with the frame of a tool call around it. */
const charactersPerToken = 512;
const spareCharacters = 65_536;

/** What a stream has told, without what the call cost in money and time. */
export interface CollectedAnswer extends Pick<ChatAnswer, "text" | "reasoning" | "toolCalls" | "finish"> {
  readonly tokens: Pick<Usage, "inputTokens" | "outputTokens" | "estimated">;
}

/** Collects the chunks of a chat stream; see {@link createChatCollector}. */
export interface ChatCollector {
  /**
   * Takes a chunk as it came from the server.
   *
   * @returns whether it brought something of the answer.
   * @throws TroupeError `model_garbage` when it is not a chunk, or the answer is far longer than what was asked for.
   */
  push(chunk: unknown): boolean;
  /**
   * The whole answer, when the stream has ended.
   *
   * @throws TroupeError `model_garbage` when the stream broke off, `model_failed` when the server gave up.
   */
  end(): CollectedAnswer;
}

/**
 * Collects the chunks of an OpenAI-compatible chat stream into an answer.
 *
 * It tolerates what servers do: no choices in the chunk with the usage, no usage at all (then estimated), reasoning in a field of
 * its own or between think tags, tool calls in fragments, `finish_reason: "tool_calls"` without any call (an ordinary stop).
 */
export function createChatCollector(request: ChatRequest, onText: (piece: string) => void): ChatCollector {
  return new StreamCollector(request, onText);
}

class StreamCollector implements ChatCollector {
  readonly #request: ChatRequest;
  readonly #splitter: ReasoningSplitter;
  readonly #calls = createToolCallCollector();
  #reasoning = "";
  #written = "";
  #finishReason: string | undefined;
  #usage: z.infer<typeof usageSchema> | undefined;
  #told = false;
  #characters = 0;

  constructor(request: ChatRequest, onText: (piece: string) => void) {
    this.#request = request;
    this.#splitter = createReasoningSplitter(onText);
  }

  push(chunk: unknown): boolean {
    const parsed = chunkSchema.safeParse(chunk);
    if (!parsed.success)
      throw new TroupeError("model_garbage", `a chunk of the stream has an unknown form: ${shorten(JSON.stringify(chunk))}`);
    this.#told = true;
    this.#usage = parsed.data.usage ?? this.#usage;
    const first = parsed.data.choices?.[0];
    if (first === undefined) return false;
    if (first.delta) this.#take(first.delta);
    this.#finishReason = first.finish_reason || this.#finishReason;
    return true;
  }

  end(): CollectedAnswer {
    if (!this.#told) throw new TroupeError("model_garbage", "the answer is not a chat stream, or an empty one");
    if (this.#finishReason === undefined) throw new TroupeError("model_garbage", "the stream ended in the middle of the answer");
    const { text: answer, reasoning: tagged } = this.#splitter.end();
    const reasoning = [this.#reasoning.trim(), tagged].filter((part) => part !== "").join("\n");
    const toolCalls = this.#calls.end();
    return {
      text: answer,
      ...(reasoning === "" ? {} : { reasoning }),
      toolCalls,
      finish: finishOf(this.#finishReason, toolCalls.length > 0),
      tokens: this.#tokens(toolCalls),
    };
  }

  #take({ content, reasoning_content, reasoning, tool_calls }: z.infer<typeof deltaSchema>): void {
    const thought = reasoning_content ?? reasoning ?? "";
    this.#reasoning += thought;
    this.#written += (content ?? "") + thought;
    this.#splitter.push(content ?? "");
    for (const call of tool_calls ?? []) this.#calls.push(call);
    this.#bound((content ?? "").length + thought.length + (tool_calls ? JSON.stringify(tool_calls).length : 0));
  }

  /** A server that heeds no `max_tokens` would fill the memory. */
  #bound(characters: number): void {
    this.#characters += characters;
    const { maxTokens } = this.#request;
    if (this.#characters <= spareCharacters + maxTokens * charactersPerToken) return;
    throw new TroupeError("model_garbage", `the answer does not end: it is far longer than the ${maxTokens} tokens that were asked for`);
  }

  #tokens(toolCalls: readonly ToolCall[]): CollectedAnswer["tokens"] {
    if (this.#usage) return { inputTokens: this.#usage.prompt_tokens, outputTokens: this.#usage.completion_tokens, estimated: false };
    const spoken = this.#written + (toolCalls.length > 0 ? JSON.stringify(toolCalls) : "");
    return { inputTokens: estimatePromptTokens(this.#request), outputTokens: estimateTokens(spoken), estimated: true };
  }
}

function finishOf(reason: string, hasCalls: boolean): ChatAnswer["finish"] {
  if (reason === "abort" || reason === "error")
    throw new TroupeError("model_failed", `the server gave the answer up (finish_reason "${reason}")`);
  if (reason === "length") return "length";
  if (reason === "content_filter") return "filter";
  return hasCalls ? "tools" : "stop";
}

function shorten(value: string | undefined): string {
  return (value ?? "undefined").slice(0, 200);
}

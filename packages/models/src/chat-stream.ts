import { type ChatAnswer, type ChatRequest, TroupeError, type Usage } from "@troupe/schema";
import { z } from "zod";
import { estimatePromptTokens, estimateTokens } from "./estimate-tokens.ts";
import { createReasoningSplitter } from "./reasoning-splitter.ts";
import { createToolCallCollector } from "./tool-call-collector.ts";

const text = z.string().nullish();
const toolCallDelta = z.object({
  index: z.number().int().nullish(),
  id: text,
  function: z.object({ name: text, arguments: z.unknown() }).nullish(),
});
const choice = z.object({
  delta: z.object({ content: text, reasoning_content: text, reasoning: text, tool_calls: z.array(toolCallDelta).nullish() }).nullish(),
  finish_reason: text,
});
const count = z.number().int().nonnegative();
const chunkSchema = z.object({
  choices: z.array(choice).nullish(),
  usage: z.object({ prompt_tokens: count, completion_tokens: count }).nullish().catch(undefined),
});

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
   * @throws TroupeError `model_garbage` when it is not a chunk.
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
  const splitter = createReasoningSplitter(onText);
  const calls = createToolCallCollector();
  let reasoningField = "";
  let written = "";
  let finishReason: string | undefined;
  let usage: z.infer<typeof chunkSchema>["usage"];

  const take = ({ delta, finish_reason }: z.infer<typeof choice>) => {
    if (delta?.content) splitter.push(delta.content);
    const reasoning = delta?.reasoning_content ?? delta?.reasoning ?? "";
    reasoningField += reasoning;
    written += (delta?.content ?? "") + reasoning;
    for (const call of delta?.tool_calls ?? []) calls.push(call);
    if (finish_reason) finishReason = finish_reason;
  };

  return {
    push: (chunk) => {
      const parsed = chunkSchema.safeParse(chunk);
      if (!parsed.success)
        throw new TroupeError("model_garbage", `a chunk of the stream has an unknown form: ${shorten(JSON.stringify(chunk))}`);
      usage = parsed.data.usage ?? usage;
      const first = parsed.data.choices?.[0];
      if (first !== undefined) take(first);
      return first !== undefined;
    },
    end: () => {
      if (finishReason === undefined) throw new TroupeError("model_garbage", "the stream ended in the middle of the answer");
      const { text: answer, reasoning: tagged } = splitter.end();
      const reasoning = [reasoningField.trim(), tagged].filter((part) => part !== "").join("\n");
      const toolCalls = calls.end();
      const spoken = written + (toolCalls.length > 0 ? JSON.stringify(toolCalls) : "");
      return {
        text: answer,
        ...(reasoning === "" ? {} : { reasoning }),
        toolCalls,
        finish: finishOf(finishReason, toolCalls.length > 0),
        tokens:
          usage === undefined || usage === null
            ? { inputTokens: estimatePromptTokens(request), outputTokens: estimateTokens(spoken), estimated: true }
            : { inputTokens: usage.prompt_tokens, outputTokens: usage.completion_tokens, estimated: false },
      };
    },
  };
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

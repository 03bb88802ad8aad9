import type { ChatMessage, ChatRequest } from "@troupe/schema";
import type { ChatCompletionCreateParamsStreaming, ChatCompletionMessageParam } from "openai/resources/chat/completions";

/** Writes a request as the body that OpenAI-compatible servers take. */
export function toChatBody(request: ChatRequest, model: string): ChatCompletionCreateParamsStreaming {
  return {
    model,
    messages: request.messages.map(toMessage),
    stream: true,
    stream_options: { include_usage: true },
    max_tokens: request.maxTokens,
    ...(request.temperature === undefined ? {} : { temperature: request.temperature }),
    ...(request.topP === undefined ? {} : { top_p: request.topP }),
    ...(request.stop === undefined || request.stop.length === 0 ? {} : { stop: [...request.stop] }),
    ...(request.seed === undefined ? {} : { seed: request.seed }),
    ...(request.tools === undefined || request.tools.length === 0
      ? {}
      : { tools: request.tools.map((tool) => ({ type: "function" as const, function: { ...tool } })) }),
    ...(request.responseSchema === undefined
      ? {}
      : { response_format: { type: "json_schema", json_schema: { name: "answer", schema: request.responseSchema, strict: true } } }),
  };
}

function toMessage(message: ChatMessage): ChatCompletionMessageParam {
  switch (message.role) {
    case "system":
    case "user":
      return { role: message.role, content: message.content };
    case "tool":
      return { role: "tool", content: message.content, tool_call_id: message.toolCallId ?? "" };
    case "assistant":
      if (message.toolCalls === undefined || message.toolCalls.length === 0) return { role: "assistant", content: message.content };
      return {
        role: "assistant",
        content: message.content,
        tool_calls: message.toolCalls.map((call) => ({
          id: call.id,
          type: "function",
          function: { name: call.name, arguments: call.arguments },
        })),
      };
  }
}

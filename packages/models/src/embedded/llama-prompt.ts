import type { ChatHistoryItem, ChatWrapper, LlamaModel, LlamaText, Token } from "node-llama-cpp";
import type { InferenceMessage } from "./inference.ts";

/** A prompt in the model's own format. */
export interface LlamaPrompt {
  readonly tokens: Token[];
  /** What ends the answer, besides the model's end tokens. */
  readonly stops: readonly LlamaText[];
}

/** Writes a conversation in the chat template of the model. */
export function toLlamaPrompt(messages: readonly InferenceMessage[], wrapper: ChatWrapper, model: LlamaModel): LlamaPrompt {
  const history = messages.map(toHistoryItem);
  // The template opens the turn that the model is to write.
  if (history.at(-1)?.type !== "model") history.push({ type: "model", response: [] });
  const { contextText, stopGenerationTriggers } = wrapper.generateContextState({ chatHistory: history });
  const tokens = contextText.tokenize(model.tokenizer);
  const first = firstToken(model);
  if (first !== null && tokens[0] !== first) tokens.unshift(first);
  return { tokens, stops: stopGenerationTriggers };
}

/** The token that the model wants at the very beginning, if any. */
export function firstToken(model: LlamaModel): Token | null {
  return model.tokens.shouldPrependBosToken ? model.tokens.bos : null;
}

function toHistoryItem({ role, content }: InferenceMessage): ChatHistoryItem {
  switch (role) {
    case "system":
      return { type: "system", text: content };
    case "user":
      return { type: "user", text: content };
    case "assistant":
      return { type: "model", response: [content] };
  }
}

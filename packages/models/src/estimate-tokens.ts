import type { ChatRequest } from "@troupe/schema";

const charactersPerToken = 3.6;
const tokensPerMessage = 8;
/** Code has more tokens a character than prose; a reservation should rather be too large. */
const reserveFactor = 1.2;

/**
 * Estimates the tokens of a text from its length: 3.6 ASCII characters a token, one token for any other character.
 *
 * For servers that don't say what a call cost; the result is only as good as that rule.
 */
export function estimateTokens(text: string): number {
  const others = text.match(/[^\p{ASCII}]/gu)?.length ?? 0;
  return Math.ceil((text.length - others) / charactersPerToken + others);
}

/** Estimates the prompt tokens of a request: messages, tools and schema. */
export function estimatePromptTokens(request: ChatRequest): number {
  const parts = request.messages.map(
    (message) => message.content + (message.toolCalls === undefined ? "" : JSON.stringify(message.toolCalls)),
  );
  if (request.tools !== undefined) parts.push(JSON.stringify(request.tools));
  if (request.responseSchema !== undefined) parts.push(JSON.stringify(request.responseSchema));
  return parts.reduce((sum, part) => sum + estimateTokens(part) + tokensPerMessage, 0);
}

/** Tokens to reserve for a request before it is sent: the estimated prompt with a margin, and the longest answer. */
export function reserveTokens(request: ChatRequest): number {
  return Math.ceil(estimatePromptTokens(request) * reserveFactor) + request.maxTokens;
}

import { type ChatRequest, type ErrorCode, noUsage, type TroupeError, type Usage } from "@troupe/schema";
import type { Reservation } from "./budget-scope.ts";

/** A call that failed. */
export interface FailedCall {
  readonly request: ChatRequest;
  readonly reserved: Reservation;
  readonly error: TroupeError;
  /** Characters of the answer that had arrived. */
  readonly characters: number;
  readonly seconds: number;
}

const charactersPerToken = 4;

/** Failures after which the server had the request, and most likely worked on it. */
const sentCodes: ReadonlySet<ErrorCode> = new Set<ErrorCode>(["model_timeout", "model_garbage", "activation_timeout", "cancelled"]);

/** What a failed call most likely cost: nothing unless it was really sent; then its prompt and what had arrived of the answer. */
export function failedCallUsage({ request, reserved, error, characters, seconds }: FailedCall): Usage {
  if (characters === 0 && !sentCodes.has(error.code)) return noUsage;
  const inputTokens = Math.max(0, Math.ceil(reserved.tokens) - request.maxTokens);
  const outputTokens = Math.min(request.maxTokens, Math.ceil(characters / charactersPerToken));
  const share = reserved.tokens > 0 ? Math.min(1, (inputTokens + outputTokens) / reserved.tokens) : 0;
  return { calls: 1, inputTokens, outputTokens, usd: reserved.usd * share, seconds, estimated: true };
}

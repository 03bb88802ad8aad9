import { TroupeError } from "@troupe/schema";
import { z } from "zod";
import type { InferenceMessage, InferenceRequest } from "./inference.ts";

const textPart = z.object({ type: z.literal("text"), text: z.string() });
const message = z.object({
  role: z.enum(["system", "developer", "user", "assistant", "tool"]),
  content: z.union([z.string(), z.array(textPart)]).nullish(),
});
const responseFormat = z.discriminatedUnion("type", [
  z.object({ type: z.literal("text") }),
  z.object({ type: z.literal("json_object") }),
  z.object({ type: z.literal("json_schema"), json_schema: z.object({ schema: z.record(z.string(), z.unknown()) }) }),
]);

/** Body of `POST /v1/chat/completions`: the fields of the OpenAI API that a local model can obey; others are ignored or refused. */
export const completionRequest = z.object({
  model: z.string(),
  messages: z.array(message).min(1),
  stream: z.boolean().nullish(),
  stream_options: z.object({ include_usage: z.boolean().nullish() }).nullish(),
  max_tokens: z.number().int().positive().nullish(),
  max_completion_tokens: z.number().int().positive().nullish(),
  temperature: z.number().min(0).max(2).nullish(),
  top_p: z.number().min(0).max(1).nullish(),
  seed: z.number().int().nonnegative().nullish(),
  stop: z.union([z.string(), z.array(z.string()).max(16)]).nullish(),
  response_format: responseFormat.nullish(),
  n: z.number().int().nullish(),
  tools: z.array(z.unknown()).nullish(),
});
export type CompletionRequest = z.infer<typeof completionRequest>;

/**
 * Turns a request of the OpenAI API into what the model is asked.
 *
 * @throws TroupeError `model_refused` for tools and for several answers at once.
 */
export function toInferenceRequest(body: CompletionRequest): InferenceRequest {
  if ((body.n ?? 1) !== 1) throw new TroupeError("model_refused", "The embedded model writes one answer a request: leave `n` out.");
  if ((body.tools ?? []).length > 0) {
    throw new TroupeError("model_refused", "The embedded model has no tool-call format: leave `tools` out and ask for fenced blocks.");
  }
  const stop = typeof body.stop === "string" ? [body.stop] : (body.stop ?? []);
  return {
    messages: body.messages.map(toInferenceMessage),
    maxTokens: body.max_completion_tokens ?? body.max_tokens ?? undefined,
    // The API's own default is 1; here it is the sampling that small models stand best.
    temperature: body.temperature ?? 0,
    topP: body.top_p ?? undefined,
    seed: body.seed ?? undefined,
    stop: stop.filter((text) => text !== ""),
    json: toJson(body.response_format),
  };
}

function toInferenceMessage({ role, content }: z.infer<typeof message>): InferenceMessage {
  const text = typeof content === "string" ? content : (content ?? []).map((part) => part.text).join("");
  if (role === "developer") return { role: "system", content: text };
  // Small models know no tool messages; what a tool said comes from outside, as the user's words do.
  return role === "tool" ? { role: "user", content: `Result of the tool:\n${text}` } : { role, content: text };
}

function toJson(format: CompletionRequest["response_format"]): InferenceRequest["json"] {
  if (format?.type === "json_object") return "any";
  return format?.type === "json_schema" ? format.json_schema.schema : undefined;
}

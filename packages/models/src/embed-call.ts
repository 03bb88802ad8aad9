import { addUsage, type EmbedAnswer, noUsage, type Usage } from "@troupe/schema";
import type { OpenAI } from "openai";
import { boundBody } from "./bounded-response.ts";
import { parseEmbeddings } from "./embedding-answer.ts";
import { estimateTokens } from "./estimate-tokens.ts";
import { type GuardOptions, guardCall } from "./guarded-call.ts";

/** What a call for embeddings needs. */
export interface EmbedCall {
  /** Gives the library's client once the call is wanted. */
  readonly client: () => Promise<OpenAI>;
  /** The model's name on the server. */
  readonly model: string;
  readonly texts: readonly string[];
  readonly guard: GuardOptions;
  /** US dollars per million prompt tokens. */
  readonly inputPrice: number;
  /** Extra fields of every request body. */
  readonly extraBody: Readonly<Record<string, unknown>> | undefined;
}

/** Texts of one request: few enough that the answer, with the longest vectors there are, stays small. */
const batchSize = 32;

/** Asks an endpoint for the embeddings of texts, one request for each batch, one after another. */
export async function embedTexts(call: EmbedCall): Promise<Omit<EmbedAnswer, "endpoint">> {
  const vectors: Float32Array[] = [];
  let usage: Usage = noUsage;
  for (let at = 0; at < call.texts.length; at += batchSize) {
    call.guard.signal.throwIfAborted();
    const batch = await embedBatch(call, call.texts.slice(at, at + batchSize));
    vectors.push(...batch.vectors);
    usage = addUsage(usage, batch.usage);
  }
  return { vectors, usage };
}

async function embedBatch(call: EmbedCall, texts: readonly string[]): Promise<Omit<EmbedAnswer, "endpoint">> {
  const { clock } = call.guard;
  const began = clock.now();
  const { vectors, tokens } = await guardCall(call.guard, async ({ signal }) => {
    const client = (await call.client()).withOptions({ fetch: fetchWhole });
    // Asked for as plain numbers, which every server knows, and left as it comes: the library would take numbers for base64.
    const body = { ...call.extraBody, model: call.model, input: [...texts], encoding_format: "float" as const };
    return parseEmbeddings(await client.embeddings.create(body, { signal }), texts.length);
  });
  const inputTokens = tokens ?? texts.reduce((sum, text) => sum + estimateTokens(text), 0);
  const usd = (inputTokens * call.inputPrice) / 1e6;
  const seconds = Math.max(0, clock.now() - began) / 1000;
  return { vectors, usage: { calls: 1, inputTokens, outputTokens: 0, usd, seconds, estimated: tokens === undefined } };
}

async function fetchWhole(input: string | URL | Request, init?: RequestInit): Promise<Response> {
  return boundBody(await fetch(input, init));
}

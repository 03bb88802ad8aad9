import { TroupeError } from "@troupe/schema";
import type { LlamaEmbeddingContext, LlamaModel } from "node-llama-cpp";
import type { Embeddings, Inference } from "./inference.ts";

/** How the model of an embedding context is served; see `LoadOptions`. */
export interface EmbeddingOptions {
  readonly contextTokens: number;
  readonly threads: number;
}

/** Ways of pooling that give one vector for a text; 0 gives none, 4 ranks texts. */
const poolings = [1, 2, 3];

/** Whether a GGUF file holds an embedding model: it names how the vectors of a text's tokens become one. */
export function isEmbeddingModel({ fileInfo: { metadata } }: LlamaModel): boolean {
  const { architecture } = metadata.general;
  const facts = (metadata as unknown as Record<string, { pooling_type?: unknown } | undefined>)[architecture];
  return poolings.includes(Number(facts?.pooling_type ?? 0));
}

/** Serves an embedding model; what is asked at once waits in line. */
export async function loadEmbedding(model: LlamaModel, options: EmbeddingOptions): Promise<Omit<Inference, "close">> {
  const contextTokens = Math.min(options.contextTokens, model.trainContextSize);
  const context = await model.createEmbeddingContext({ contextSize: contextTokens, batchSize: contextTokens, threads: options.threads });
  return {
    contextTokens,
    prepare: () => Promise.reject(new TroupeError("model_refused", "This is an embedding model: it writes no answers.")),
    embed: (texts, signal) => embed(context, contextTokens, texts, signal),
  };
}

async function embed(context: LlamaEmbeddingContext, most: number, texts: readonly string[], signal: AbortSignal): Promise<Embeddings> {
  const lengths = texts.map((text) => context.calculateInputLength(text));
  const longest = Math.max(0, ...lengths);
  // The library needs one token to spare.
  if (longest >= most) {
    throw new TroupeError(
      "model_context_overflow",
      `A text has ${longest} tokens, and the maximum context length is ${most - 1} tokens. Send it in pieces.`,
    );
  }
  const vectors: (readonly number[])[] = [];
  for (const text of texts) {
    signal.throwIfAborted();
    vectors.push((await context.getEmbeddingFor(text)).vector);
  }
  return { vectors, tokens: lengths.reduce((sum, length) => sum + length, 0) };
}

/** The refusal of a model that writes answers. */
export function refuseEmbedding(): Promise<never> {
  const message = "This model writes answers and gives no embeddings. Name an embedding model, such as all-minilm-l6-v2.";
  return Promise.reject(new TroupeError("model_refused", message));
}

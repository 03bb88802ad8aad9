import { z } from "zod";
import type { Embeddings } from "./inference.ts";

/** Body of `POST /v1/embeddings`: the fields of the OpenAI API that a local model can obey. */
export const embeddingRequest = z.object({
  model: z.string(),
  input: z.union([z.string(), z.array(z.string()).min(1).max(2048)]),
  encoding_format: z.enum(["float", "base64"]).nullish(),
});
export type EmbeddingRequest = z.infer<typeof embeddingRequest>;

/** The texts of a request. */
export function textsOf({ input }: EmbeddingRequest): readonly string[] {
  return typeof input === "string" ? [input] : input;
}

/** The answer in the form of the OpenAI API. */
export function embeddingBody({ model, encoding_format: form }: EmbeddingRequest, { vectors, tokens }: Embeddings): unknown {
  const data = vectors.map((vector, index) => ({
    object: "embedding",
    index,
    embedding: form === "base64" ? Buffer.from(Float32Array.from(vector).buffer).toString("base64") : vector,
  }));
  return { object: "list", model, data, usage: { prompt_tokens: tokens, total_tokens: tokens } };
}

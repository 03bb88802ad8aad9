import { TroupeError } from "@troupe/schema";
import { z } from "zod";

const row = z.object({ index: z.number().int().nullish(), embedding: z.union([z.array(z.number()), z.string()]) });
const body = z.object({
  data: z.array(row),
  usage: z.object({ prompt_tokens: z.number().int().nonnegative() }).nullish().catch(undefined),
});

/** What an answer of `/embeddings` tells. */
export interface ParsedEmbeddings {
  /** In the order of the texts, each of norm 1. */
  readonly vectors: readonly Float32Array[];
  /** Prompt tokens, when the server tells. */
  readonly tokens: number | undefined;
}

/**
 * Reads the answer of `/embeddings`: vectors as numbers or in base64, with or without an index.
 *
 * @param count how many texts were sent.
 * @throws TroupeError `model_garbage` that says what is wrong with it.
 */
export function parseEmbeddings(answer: unknown, count: number): ParsedEmbeddings {
  const { data: parsed } = body.safeParse(answer);
  if (parsed === undefined) throw garbage(`the answer is not a list of embeddings: ${shorten(answer)}`);
  const { data, usage } = parsed;
  if (data.length !== count) throw garbage(`${count} texts were sent, but ${data.length} embeddings came back`);
  const vectors = new Array<Float32Array | undefined>(count).fill(undefined);
  for (const [at, { index, embedding }] of data.entries()) {
    const place = index ?? at;
    if (place < 0 || place >= count || vectors[place] !== undefined)
      throw garbage(`the embeddings have the index ${place} twice or in excess`);
    vectors[place] = toUnit(toNumbers(embedding), place);
  }
  const known = vectors.filter((vector) => vector !== undefined);
  const lengths = [...new Set(known.map((vector) => vector.length))];
  if (lengths.length > 1) throw garbage(`the embeddings have different lengths: ${lengths.join(", ")}`);
  return { vectors: known, tokens: usage?.prompt_tokens };
}

const bytesPerNumber = 4;

function toNumbers(embedding: readonly number[] | string): readonly number[] {
  if (typeof embedding !== "string") return embedding;
  const bytes = /^[A-Za-z0-9+/]*={0,2}$/.test(embedding) ? Buffer.from(embedding, "base64") : Buffer.alloc(1);
  if (bytes.length % bytesPerNumber !== 0) throw garbage("an embedding is not the base64 of 32-bit numbers");
  return Array.from({ length: bytes.length / bytesPerNumber }, (_, at) => bytes.readFloatLE(at * bytesPerNumber));
}

/** A vector without a direction can't be compared with anything. */
function toUnit(numbers: readonly number[], place: number): Float32Array {
  const norm = Math.sqrt(numbers.reduce((sum, number) => sum + number * number, 0));
  if (!Number.isFinite(norm) || norm === 0)
    throw garbage(`the embedding of text ${place} ${numbers.length === 0 ? "is empty" : "is zero, or holds what is no number"}`);
  return Float32Array.from(numbers, (number) => number / norm);
}

function garbage(what: string): TroupeError {
  return new TroupeError("model_garbage", what);
}

function shorten(value: unknown): string {
  return String(JSON.stringify(value)).slice(0, 200);
}

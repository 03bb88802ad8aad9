import { type FileEntry, isTroupeError, type ModelClient } from "@troupe/schema";
import { type Measure, measured, unmeasured } from "./software-metrics.ts";
import { splitText } from "./split-text.ts";
import { stripComments } from "./strip-comments.ts";

/** What turns texts into vectors. */
export interface ConsistencyOptions {
  readonly models: Pick<ModelClient, "embed" | "info">;
  /** The embedding model's name in troupe.yaml. */
  readonly model: string;
  readonly signal: AbortSignal;
}

/** Longer pieces are read less well by sentence encoders, and figures of models with other contexts could not be compared. */
const mostTokens = 512;
/** Code has about three characters a token; two leave room, and where they don't the pieces are halved. */
const charactersPerToken = 2;
const leastCharacters = 32;
/** A product may have megabytes, and its beginning says what it is about. */
const mostCharacters = 256 * 1024;

/**
 * How near the code is to what was asked for: the cosine of the embeddings of the request and of the code without its comments.
 * What is longer than the model's context is cut into pieces, whose vectors are averaged by their length.
 */
export async function measureConsistency(request: string, code: readonly FileEntry[], options: ConsistencyOptions): Promise<Measure> {
  const whole = code.map(({ path, content }) => stripComments(path, content)).join("\n");
  const text = whole.slice(0, mostCharacters);
  if (text.trim() === "")
    return unmeasured(code.length === 0 ? "The product has no code of its own (.py, .js, .ts)." : "The code is all comments.");
  try {
    const { contextTokens } = await options.models.info(options.model, options.signal);
    const most = Math.min(contextTokens, mostTokens) * charactersPerToken;
    const { value, pieces, endpoint } = await compare(request, text, most, options);
    if (Number.isNaN(value)) return unmeasured("The vectors of the pieces cancel each other out.");
    const cut = whole.length > text.length ? `, of which the first ${mostCharacters} characters were read` : "";
    return measured(value, `By ${endpoint}; the code in ${pieces} ${pieces === 1 ? "piece" : "pieces"}${cut}.`);
  } catch (error) {
    options.signal.throwIfAborted();
    if (!isTroupeError(error)) throw error;
    return unmeasured(`The embedding model can't be asked: ${error.message}`);
  }
}

interface Compared {
  readonly value: number;
  readonly pieces: number;
  readonly endpoint: string;
}

async function compare(request: string, text: string, most: number, options: ConsistencyOptions): Promise<Compared> {
  const { models, model, signal } = options;
  const [asked, made] = [splitText(request, most), splitText(text, most)];
  try {
    const { vectors, endpoint } = await models.embed({ model, texts: [...asked, ...made] }, { signal });
    const value = cosine(pool(vectors.slice(0, asked.length), asked), pool(vectors.slice(asked.length), made));
    return { value, pieces: made.length, endpoint: `${model} (${endpoint})` };
  } catch (error) {
    if (!isTroupeError(error, "model_context_overflow") || most / 2 < leastCharacters) throw error;
    return compare(request, text, Math.floor(most / 2), options);
  }
}

/** The mean of vectors, each weighted by the length of its text. */
function pool(vectors: readonly Float32Array[], texts: readonly string[]): Float64Array {
  const sum = new Float64Array(vectors[0]?.length ?? 0);
  for (const [at, vector] of vectors.entries()) {
    const weight = texts[at]?.length ?? 0;
    for (const [i, x] of vector.entries()) sum[i] = (sum[i] ?? 0) + weight * x;
  }
  return sum;
}

function cosine(a: Float64Array, b: Float64Array): number {
  const dot = (x: Float64Array, y: Float64Array): number => x.reduce((sum, value, i) => sum + value * (y[i] ?? 0), 0);
  return dot(a, b) / Math.sqrt(dot(a, a) * dot(b, b));
}

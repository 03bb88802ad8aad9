import { z } from "zod";
import { boundBody } from "./bounded-response.ts";

/** A model that a server says it serves. */
export interface ListedModel {
  readonly id: string;
  /** Tokens that prompt and answer may have together, when the server tells. */
  readonly contextTokens?: number;
}

/** Where to ask. */
export interface ListModelsOptions {
  /** Base URL, such as http://127.0.0.1:8000/v1. */
  readonly url: string;
  /** Key for the `Authorization` header. */
  readonly key?: string | undefined;
  readonly signal: AbortSignal;
  /** Milliseconds to wait for the answer. */
  readonly timeoutMs: number;
}

const tokens = z.number().int().positive().nullish().catch(undefined);
const modelList = z.object({
  data: z.array(z.object({ id: z.string().min(1), max_model_len: tokens, context_length: tokens })),
});

/**
 * Asks a server which models it serves (`GET /models`).
 *
 * @returns the models, or nothing when the server does not answer in time or not in this form.
 * @throws the signal's reason when aborted.
 */
export async function listModels({ url, key, signal, timeoutMs }: ListModelsOptions): Promise<ListedModel[] | undefined> {
  const limited = new AbortController();
  const stop = () => limited.abort();
  const timer = setTimeout(stop, timeoutMs);
  signal.addEventListener("abort", stop, { once: true });
  try {
    signal.throwIfAborted();
    const headers = key === undefined ? {} : { authorization: `Bearer ${key}` };
    const response = boundBody(await fetch(`${url.replace(/\/+$/, "")}/models`, { headers, signal: limited.signal }));
    const list = modelList.safeParse(response.ok ? await response.json() : undefined);
    return list.data?.data.map(toListedModel);
  } catch {
    signal.throwIfAborted();
    return undefined;
  } finally {
    clearTimeout(timer);
    signal.removeEventListener("abort", stop);
    limited.abort();
  }
}

function toListedModel(model: z.infer<typeof modelList>["data"][number]): ListedModel {
  const contextTokens = model.max_model_len ?? model.context_length;
  return { id: model.id, ...(contextTokens ? { contextTokens } : {}) };
}

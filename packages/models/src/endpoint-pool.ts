import { type ChatAnswer, type ChatOptions, type ChatRequest, type EmbedAnswer, isTroupeError, TroupeError } from "@troupe/schema";
import type { Endpoint } from "./endpoint.ts";

/** Several endpoints that serve one model, used as one. */
export interface EndpointPool {
  /**
   * Asks the endpoint with the fewest outstanding calls; when it can't be reached, the next one once.
   *
   * @throws TroupeError with a `model_…` code, or the signal's reason when aborted.
   */
  chat(request: ChatRequest, options: ChatOptions): Promise<ChatAnswer>;
  /** Has texts turned into vectors; endpoints are chosen as for {@link EndpointPool.chat}. */
  embed(texts: readonly string[], signal: AbortSignal): Promise<EmbedAnswer>;
  /** The first endpoint's list of models, or nothing when none tells. */
  models(signal: AbortSignal): ReturnType<Endpoint["models"]>;
}

/** Joins endpoints to a pool; ties go to the one named first. */
export function createEndpointPool(endpoints: readonly Endpoint[]): EndpointPool {
  const outstanding = new Map<Endpoint, number>(endpoints.map((endpoint) => [endpoint, 0]));

  const pick = (except?: Endpoint): Endpoint | undefined =>
    endpoints
      .filter((endpoint) => endpoint !== except)
      .reduce<Endpoint | undefined>((best, next) => (best === undefined || load(next) < load(best) ? next : best), undefined);
  const load = (endpoint: Endpoint): number => outstanding.get(endpoint) ?? 0;

  const ask = async <T>(endpoint: Endpoint, call: (endpoint: Endpoint) => Promise<T>): Promise<T> => {
    outstanding.set(endpoint, load(endpoint) + 1);
    try {
      return await call(endpoint);
    } finally {
      outstanding.set(endpoint, load(endpoint) - 1);
    }
  };

  const askOne = async <T>(call: (endpoint: Endpoint) => Promise<T>): Promise<T> => {
    const first = pick();
    if (first === undefined) throw new TroupeError("model_unavailable", "The model has no endpoint.");
    try {
      return await ask(first, call);
    } catch (thrown) {
      const second = isTroupeError(thrown, "model_unreachable") ? pick(first) : undefined;
      if (second === undefined) throw thrown;
      return ask(second, call);
    }
  };

  return {
    chat: (request, options) => askOne((endpoint) => endpoint.chat(request, options)),
    embed: (texts, signal) => askOne((endpoint) => endpoint.embed(texts, signal)),
    models: async (signal) => {
      for (const endpoint of endpoints) {
        const listed = await endpoint.models(signal);
        if (listed !== undefined) return listed;
      }
      return undefined;
    },
  };
}

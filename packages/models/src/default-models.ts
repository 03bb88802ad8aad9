import { type EndpointModel, endpointModel, type ModelEntry } from "@troupe/schema";
import { listModels } from "./list-models.ts";
import { defaultEmbeddingName, defaultModelName } from "./store/catalogue.ts";

/** Base URLs where vLLM, llama.cpp, Ollama and LM Studio listen unless told otherwise, in the order of preference. */
export const usualEndpoints: readonly string[] = [8000, 8080, 11434, 1234].map((port) => `http://127.0.0.1:${port}/v1`);

/** Options of {@link detectLocalEndpoint}. */
export interface DetectOptions {
  /** Base URLs to try. Default: {@link usualEndpoints}. */
  readonly endpoints?: readonly string[];
  /** Milliseconds to wait for each. Default 500. */
  readonly timeoutMs?: number;
}

/** Models that can't chat, by the usual parts of their names. */
const notForChat = /embed|rerank|whisper|(^|[-_/])tts([-_/]|$)|(^|[-_/])bge-|minilm/i;

/**
 * Looks for a model server on the usual local ports.
 *
 * @returns the first endpoint that lists a model fit for chat, with that model, or nothing.
 * @throws the signal's reason when aborted.
 */
export async function detectLocalEndpoint(signal: AbortSignal, options: DetectOptions = {}): Promise<EndpointModel | undefined> {
  const { endpoints = usualEndpoints, timeoutMs = 500 } = options;
  const found = await Promise.all(
    endpoints.map(async (url) => {
      const models = await listModels({ url, signal, timeoutMs });
      const model = models?.find(({ id }) => !notForChat.test(id));
      // Nobody said that this server parses tool calls; fenced blocks work with every model.
      return model && endpointModel.parse({ endpoints: [url], model: model.id, tools: "text", contextTokens: model.contextTokens });
    }),
  );
  return found.find((entry) => entry !== undefined);
}

/** Options of {@link defaultModels}. */
export interface DefaultModelsOptions extends DetectOptions {
  readonly signal: AbortSignal;
  /** `TROUPE_NO_PROBE=1` leaves the local ports alone. */
  readonly env: Readonly<Record<string, string | undefined>>;
}

/**
 * Completes the models of a project. When none is called `default`, it is the server that answers on a usual local port, else the
 * embedded model of the catalogue; when none is called `embedding`, it is the embedded embedding model of the catalogue.
 *
 * @param entries `models` of troupe.yaml.
 * @throws the signal's reason when aborted.
 */
export async function defaultModels(
  entries: Readonly<Record<string, ModelEntry>>,
  { signal, env, ...detect }: DefaultModelsOptions,
): Promise<Record<string, ModelEntry>> {
  const completed = { [embeddingModelName]: embedded(defaultEmbeddingName), ...entries };
  if (Object.hasOwn(entries, "default")) return completed;
  const local = env["TROUPE_NO_PROBE"] === "1" ? undefined : await detectLocalEndpoint(signal, detect);
  return { ...completed, default: local ?? embedded(defaultModelName) };
}

/** What the model that compares texts is called in troupe.yaml. */
export const embeddingModelName = "embedding";

function embedded(name: string): ModelEntry {
  return { embedded: name, timeoutSeconds: 600 };
}

import {
  type ChatAnswer,
  type ChatOptions,
  type ChatRequest,
  type Clock,
  type EmbeddedModel,
  type EndpointModel,
  isTroupeError,
  type ModelClient,
  type ModelEntry,
  type ModelInfo,
  systemClock,
  TroupeError,
} from "@troupe/schema";
import type { EmbeddedServer, StartEmbedded } from "./embedded/embedded-server.ts";
import { createEndpoint } from "./endpoint.ts";
import { createEndpointPool, type EndpointPool } from "./endpoint-pool.ts";
import { reserveTokens } from "./estimate-tokens.ts";
import { linkSignals } from "./linked-signal.ts";
import { untilAborted } from "./until-aborted.ts";

/** Options of {@link createModelClient}. */
export interface ModelClientOptions {
  /** The models by the name that agents use, as in troupe.yaml; see `defaultModels`. */
  readonly models: Readonly<Record<string, ModelEntry>>;
  /** Starts or finds the server of an embedded model, when one is first asked. */
  readonly startEmbedded: StartEmbedded;
  /** Where `apiKeyEnv` looks. */
  readonly env: Readonly<Record<string, string | undefined>>;
  /** Default: the machine's clock. */
  readonly clock?: Clock;
}

/** A {@link ModelClient} over endpoints and embedded models. */
export interface EndpointModelClient extends ModelClient {
  /** Ends open calls and lets the embedded models go; with `stop` it also ends their servers at once. */
  close(options?: { stop?: boolean }): Promise<void>;
}

/** A model that is ready to be asked. */
interface Served {
  readonly pool: EndpointPool;
  readonly server?: EmbeddedServer;
}

const unknownContextTokens = 8192;

/**
 * Makes the client of all models of a project; nothing is started or sent before the first call.
 *
 * @example
 * const client = createModelClient({ models, env: process.env, startEmbedded: createEmbeddedStarter({ dataDir, resolveFile }) });
 */
export function createModelClient(options: ModelClientOptions): EndpointModelClient {
  const clock = options.clock ?? systemClock;
  const closed = new AbortController();
  const served = new Map<string, Promise<Served>>();
  const infos = new Map<string, ModelInfo>();

  const serve = (name: string, entry: ModelEntry): Promise<Served> => {
    const known = served.get(name);
    if (known !== undefined) return known;
    const starting =
      "embedded" in entry ? serveEmbedded(entry, options, clock, closed.signal) : Promise.resolve(serveEndpoints(entry, options, clock));
    served.set(name, starting);
    // A failed start may go well the next time.
    starting.catch(() => forget(name, starting));
    return starting;
  };
  const forget = (name: string, starting: Promise<Served>): void => {
    if (served.get(name) === starting) served.delete(name);
  };

  const ask = async (request: ChatRequest, chatOptions: ChatOptions): Promise<ChatAnswer> => {
    const entry = entryOf(options.models, request.model);
    const starting = serve(request.model, entry);
    const { pool, server } = await untilAborted(starting, chatOptions.signal);
    try {
      return await pool.chat(request, chatOptions);
    } catch (thrown) {
      if (server === undefined || !isTroupeError(thrown, "model_unreachable")) throw thrown;
      // The embedded server ended since it was last asked; start it again, once.
      server.release();
      forget(request.model, starting);
      const again = await untilAborted(serve(request.model, entry), chatOptions.signal);
      return again.pool.chat(request, chatOptions);
    }
  };

  const linked = async <T>(signal: AbortSignal, call: (signal: AbortSignal) => Promise<T>): Promise<T> => {
    const either = linkSignals(signal, closed.signal);
    try {
      return await call(either.signal);
    } finally {
      either.release();
    }
  };

  const askInfo = async (name: string, signal: AbortSignal): Promise<ModelInfo> => {
    const entry = entryOf(options.models, name);
    const { pool, server } = await untilAborted(serve(name, entry), signal);
    const contextTokens = server?.contextTokens ?? entry.contextTokens ?? (await askContextTokens(pool, entry, signal));
    const info: ModelInfo = { contextTokens: contextTokens ?? unknownContextTokens, tools: "embedded" in entry ? "text" : entry.tools };
    // A server that did not answer may tell the next time.
    if (contextTokens !== undefined) infos.set(name, info);
    return info;
  };

  return {
    chat: (request, chatOptions) => linked(chatOptions.signal, (signal) => ask(request, { ...chatOptions, signal })),
    info: async (name, signal) => infos.get(name) ?? linked(signal, (either) => askInfo(name, either)),
    estimate: (request) => {
      const entry = entryOf(options.models, request.model);
      const tokens = reserveTokens(request);
      const price = "embedded" in entry ? undefined : entry.price;
      const input = (tokens - request.maxTokens) * (price?.input ?? 0);
      return { tokens, usd: (input + request.maxTokens * (price?.output ?? 0)) / 1e6 };
    },
    close: async ({ stop = false } = {}) => {
      closed.abort(new TroupeError("cancelled", "The model client was closed."));
      const all = await Promise.allSettled(served.values());
      const servers = all.flatMap((result) => (result.status === "fulfilled" && result.value.server ? [result.value.server] : []));
      for (const server of servers) server.release();
      if (stop) await Promise.all(servers.map((server) => server.stop()));
    },
  };
}

function entryOf(models: ModelClientOptions["models"], name: string): ModelEntry {
  const entry = Object.hasOwn(models, name) ? models[name] : undefined;
  if (entry !== undefined) return entry;
  const names = Object.keys(models).join(", ") || "none";
  throw new TroupeError("model_unknown", `No model is called "${name}". Declared under \`models:\` in troupe.yaml: ${names}.`);
}

function serveEndpoints(entry: EndpointModel, { env }: ModelClientOptions, clock: Clock): Served {
  const { endpoints, model, apiKeyEnv, price, timeoutSeconds, extraBody } = entry;
  const key = (apiKeyEnv === undefined ? undefined : env[apiKeyEnv]) || undefined;
  const common = { model, key, apiKeyEnv, price, timeoutSeconds, extraBody, clock };
  return { pool: createEndpointPool(endpoints.map((url) => createEndpoint({ url, ...common }))) };
}

async function serveEmbedded(
  entry: EmbeddedModel,
  { startEmbedded }: ModelClientOptions,
  clock: Clock,
  signal: AbortSignal,
): Promise<Served> {
  const server = await startEmbedded(entry, signal);
  const { url, token: key, model } = server;
  return {
    server,
    pool: createEndpointPool([createEndpoint({ url, key, model, name: "embedded", timeoutSeconds: entry.timeoutSeconds, clock })]),
  };
}

async function askContextTokens(pool: EndpointPool, entry: ModelEntry, signal: AbortSignal): Promise<number | undefined> {
  const listed = await pool.models(signal);
  if (listed === undefined) return undefined;
  return listed.find(({ id }) => "model" in entry && id === entry.model)?.contextTokens ?? unknownContextTokens;
}

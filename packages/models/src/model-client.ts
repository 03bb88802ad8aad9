import {
  type ChatAnswer,
  type ChatOptions,
  type ChatRequest,
  type Clock,
  type EmbedAnswer,
  type EmbedRequest,
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
import { FairGate } from "./fair-gate.ts";
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
  return new ProjectModelClient(options);
}

class ProjectModelClient implements EndpointModelClient {
  readonly #options: ModelClientOptions;
  readonly #clock: Clock;
  readonly #closed = new AbortController();
  readonly #served = new Map<string, Promise<Served>>();
  readonly #infos = new Map<string, ModelInfo>();
  /** Of the models that say how many calls they take at once. */
  readonly #gates = new Map<string, FairGate>();

  constructor(options: ModelClientOptions) {
    this.#options = options;
    this.#clock = options.clock ?? systemClock;
    for (const [name, { parallel }] of Object.entries(options.models)) {
      if (parallel !== undefined) this.#gates.set(name, new FairGate(parallel));
    }
  }

  chat(request: ChatRequest, options: ChatOptions): Promise<ChatAnswer> {
    return this.#untilClosed(options.signal, (signal) =>
      this.#inTurn({ model: request.model, run: options.run, signal }, (pool) => pool.chat(request, { ...options, signal })),
    );
  }

  embed({ model, texts }: EmbedRequest, options: { readonly signal: AbortSignal }): Promise<EmbedAnswer> {
    return this.#untilClosed(options.signal, (signal) => this.#inTurn({ model, signal }, (pool) => pool.embed(texts, signal)));
  }

  async info(name: string, signal: AbortSignal): Promise<ModelInfo> {
    return this.#infos.get(name) ?? this.#untilClosed(signal, (either) => this.#askInfo(name, either));
  }

  estimate(request: ChatRequest): { tokens: number; usd: number } {
    const entry = entryOf(this.#options.models, request.model);
    const tokens = reserveTokens(request);
    const price = "embedded" in entry ? undefined : entry.price;
    const input = (tokens - request.maxTokens) * (price?.input ?? 0);
    return { tokens, usd: (input + request.maxTokens * (price?.output ?? 0)) / 1e6 };
  }

  async close({ stop = false }: { stop?: boolean } = {}): Promise<void> {
    this.#closed.abort(new TroupeError("cancelled", "The model client was closed."));
    const all = await Promise.allSettled(this.#served.values());
    const servers = all.flatMap((result) => (result.status === "fulfilled" && result.value.server ? [result.value.server] : []));
    for (const server of servers) server.release();
    if (stop) await Promise.all(servers.map((server) => server.stop()));
  }

  /** Waits outside of every time limit of the call: only what is sent can be late. */
  #inTurn<T>(
    { model, run = "", signal }: { model: string; run?: string | undefined; signal: AbortSignal },
    call: (pool: EndpointPool) => Promise<T>,
  ): Promise<T> {
    const ask = () => this.#ask(model, signal, call);
    return this.#gates.get(model)?.pass(run, signal, ask) ?? ask();
  }

  async #ask<T>(model: string, signal: AbortSignal, call: (pool: EndpointPool) => Promise<T>): Promise<T> {
    const starting = this.#serve(model);
    const { pool, server } = await untilAborted(starting, signal);
    try {
      return await call(pool);
    } catch (thrown) {
      if (server === undefined || !isTroupeError(thrown, "model_unreachable")) throw thrown;
      // The embedded server ended since it was last asked; start it again, once.
      server.release();
      this.#forget(model, starting);
      const again = await untilAborted(this.#serve(model), signal);
      return call(again.pool);
    }
  }

  async #askInfo(name: string, signal: AbortSignal): Promise<ModelInfo> {
    const entry = entryOf(this.#options.models, name);
    const { pool, server } = await untilAborted(this.#serve(name), signal);
    const contextTokens = server?.contextTokens ?? entry.contextTokens ?? (await askContextTokens(pool, entry, signal));
    const info: ModelInfo = { contextTokens: contextTokens ?? unknownContextTokens, tools: "embedded" in entry ? "text" : entry.tools };
    // A server that did not answer may tell the next time.
    if (contextTokens !== undefined) this.#infos.set(name, info);
    return info;
  }

  /** Makes a model ready, once for all who ask. */
  #serve(name: string): Promise<Served> {
    const known = this.#served.get(name);
    if (known !== undefined) return known;
    const starting = startServing(entryOf(this.#options.models, name), this.#options, this.#clock, this.#closed.signal);
    this.#served.set(name, starting);
    // A failed start may go well the next time.
    starting.catch(() => this.#forget(name, starting));
    return starting;
  }

  #forget(name: string, starting: Promise<Served>): void {
    if (this.#served.get(name) === starting) this.#served.delete(name);
  }

  async #untilClosed<T>(signal: AbortSignal, call: (signal: AbortSignal) => Promise<T>): Promise<T> {
    const either = linkSignals(signal, this.#closed.signal);
    try {
      return await call(either.signal);
    } finally {
      either.release();
    }
  }
}

function entryOf(models: ModelClientOptions["models"], name: string): ModelEntry {
  const entry = Object.hasOwn(models, name) ? models[name] : undefined;
  if (entry !== undefined) return entry;
  const names = Object.keys(models).join(", ") || "none";
  throw new TroupeError("model_unknown", `No model is called "${name}". Declared under \`models:\` in troupe.yaml: ${names}.`);
}

async function startServing(entry: ModelEntry, options: ModelClientOptions, clock: Clock, signal: AbortSignal): Promise<Served> {
  const { timeoutSeconds } = entry;
  if ("embedded" in entry) {
    const server = await options.startEmbedded(entry, signal);
    const { url, token: key, model } = server;
    return { server, pool: createEndpointPool([createEndpoint({ url, key, model, name: "embedded", timeoutSeconds, clock })]) };
  }
  const { endpoints, model, apiKeyEnv, price, extraBody } = entry;
  const key = (apiKeyEnv === undefined ? undefined : options.env[apiKeyEnv]) || undefined;
  const common = { model, key, apiKeyEnv, price, timeoutSeconds, extraBody, clock };
  return { pool: createEndpointPool(endpoints.map((url) => createEndpoint({ url, ...common }))) };
}

async function askContextTokens(pool: EndpointPool, entry: ModelEntry, signal: AbortSignal): Promise<number | undefined> {
  const listed = await pool.models(signal);
  if (listed === undefined) return undefined;
  return listed.find(({ id }) => "model" in entry && id === entry.model)?.contextTokens ?? unknownContextTokens;
}

import { randomBytes } from "node:crypto";
import { mkdirSync, statSync } from "node:fs";
import { dirname, join } from "node:path";
import { type Clock, type Environment, systemClock } from "@troupe/schema";
import { formatBytes } from "../store/format-bytes.ts";
import { withFileLock } from "../file-lock.ts";
import { checkMemory } from "./available-memory.ts";
import type { EmbeddedServer, StartEmbedded } from "./embedded-server.ts";
import { callServer, checkServer } from "./server-client.ts";
import { type ServerConfig, type ServingOptions, toServing } from "./server-config.ts";
import { spawnServer } from "./spawn-server.ts";
import { readState, type ServerState } from "./state-file.ts";
import { stopServer } from "./stop-embedded.ts";

/** Options of {@link startEmbedded}. */
export interface StartEmbeddedOptions extends ServingOptions {
  /** The platform's data folder; what runs is noted in `embedded/` below it. */
  readonly dataDir: string;
  readonly signal: AbortSignal;
  /** Seconds without use after which the server ends by itself. Default 120. */
  readonly idleSeconds?: number | undefined;
  /** Told what takes time: `loading model qwen2.5-coder-1.5b (1.12 GB)`. */
  readonly onProgress?: ((message: string) => void) | undefined;
  /** Default: the environment of this process; only what the native library needs is handed on. */
  readonly env?: Environment | undefined;
  /** Default: the machine's clock. */
  readonly clock?: Clock | undefined;
  /** The server's program, for tests. */
  readonly program?: URL | undefined;
}

const defaultIdleSeconds = 120;
const silentTries = 3;

/**
 * Finds the running server of an embedded model, or starts one; runs of other processes share it.
 *
 * The server is a process of its own that outlives this one. It is kept alive until `release` is called or this process ends.
 *
 * @throws TroupeError `model_unavailable` when it can't be loaded, or the signal's reason.
 */
export async function startEmbedded(options: StartEmbeddedOptions): Promise<EmbeddedServer> {
  const { signal, dataDir, onProgress, clock = systemClock } = options;
  const config: ServerConfig = {
    ...toServing(options),
    host: "127.0.0.1",
    port: 0,
    token: randomBytes(24).toString("base64url"),
    idleSeconds: options.idleSeconds ?? defaultIdleSeconds,
    endWithParent: false,
  };
  const base = join(dataDir, "embedded", config.key);
  const stateFile = `${base}.json`;
  const running = await findServer(stateFile, signal);
  if (running !== undefined) return lease(running);
  mkdirSync(dirname(base), { recursive: true, mode: 0o700 });
  const onWait = () => onProgress?.(`waiting for another process that loads ${config.model}`);
  return withFileLock(base, { signal, clock, onWait }, async (locked) => {
    const other = await findServer(stateFile, locked);
    if (other !== undefined) return lease(other);
    const { size } = statSync(config.file);
    checkMemory(config.file, size);
    onProgress?.(`loading model ${config.model} (${formatBytes(size)})`);
    const { child } = await spawnServer({
      config: { ...config, stateFile },
      logFile: `${base}.log`,
      env: options.env ?? process.env,
      signal: locked,
      onLoading: () => undefined,
      program: options.program,
    });
    // From here on it lives without us.
    child.disconnect();
    child.unref();
    const started = readState(stateFile);
    if (started === undefined) throw new Error(`The embedded model's server wrote no ${stateFile}.`);
    return lease(started);
  });
}

/** What {@link createEmbeddedStarter} needs to know of the project. */
export interface EmbeddedStarterOptions
  extends Pick<StartEmbeddedOptions, "dataDir" | "idleSeconds" | "onProgress" | "env" | "clock" | "program"> {
  /** Finds the GGUF file of a catalogue name or path; may download it. */
  readonly resolveFile: (nameOrPath: string, signal: AbortSignal) => Promise<string>;
}

/** Makes the {@link StartEmbedded} of a project from its data folder and its way to find model files. */
export function createEmbeddedStarter({ resolveFile, ...common }: EmbeddedStarterOptions): StartEmbedded {
  return async ({ embedded, contextTokens, parallel, threads, gpu }, signal) => {
    const file = await resolveFile(embedded, signal);
    return startEmbedded({ ...common, file, model: embedded, contextTokens, parallel, threads, gpu, signal });
  };
}

async function findServer(stateFile: string, signal: AbortSignal): Promise<ServerState | undefined> {
  const state = readState(stateFile);
  if (state === undefined) return undefined;
  // A server that computes hard may answer late; one that stays silent is left to end by itself, and another takes its place.
  for (let tries = 0; tries < silentTries; tries++) {
    const health = await checkServer(state, signal);
    if (health !== "silent") return health === "healthy" ? state : undefined;
  }
  return undefined;
}

function lease(state: ServerState): EmbeddedServer {
  const { port, token, pid, model, contextTokens, idleSeconds } = state;
  const released = new AbortController();
  const ping = () => void callServer(state, "/lease", released.signal, 5000).catch(() => undefined);
  ping();
  const timer = setInterval(ping, Math.max(100, (idleSeconds * 1000) / 4)).unref();
  const release = () => {
    clearInterval(timer);
    released.abort();
  };
  return {
    url: `http://127.0.0.1:${port}/v1`,
    token,
    pid,
    model,
    contextTokens,
    release,
    stop: async () => {
      release();
      await stopServer(state);
    },
  };
}

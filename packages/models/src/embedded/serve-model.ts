import { mkdtempSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Environment } from "@troupe/schema";
import { checkMemory } from "./available-memory.ts";
import { type ServingOptions, toServing } from "./server-config.ts";
import { spawnServer } from "./spawn-server.ts";

/** Options of {@link serveModel}. */
export interface ServeModelOptions extends ServingOptions {
  /** Address to listen on. Default 127.0.0.1; with any other, a token is a good idea. */
  readonly host?: string | undefined;
  /** Default 0: any free port. */
  readonly port?: number | undefined;
  /** Bearer token that callers must send. Default: none. */
  readonly token?: string | undefined;
  /** Seconds without use after which it ends. Default 0: never. */
  readonly idleSeconds?: number | undefined;
  /** Ends the server when aborted. */
  readonly signal: AbortSignal;
  /** Told how much of the model is loaded, from 0 to 1. */
  readonly onLoading?: ((fraction: number) => void) | undefined;
  readonly env?: Environment | undefined;
  /** The server's program, for tests. */
  readonly program?: URL | undefined;
}

/** A served model. */
export interface ServedModel {
  /** Base URL, such as http://127.0.0.1:8080/v1. */
  readonly url: string;
  readonly pid: number;
  readonly contextTokens: number;
  /** Resolves when the server has ended, for whatever reason. */
  readonly ended: Promise<void>;
}

/**
 * Serves a model by the OpenAI API until the signal is aborted; the server ends with this process (`troupe models serve`).
 *
 * @throws TroupeError `model_unavailable` when it can't be loaded, or the signal's reason.
 */
export async function serveModel(options: ServeModelOptions): Promise<ServedModel> {
  const { file, signal, host = "127.0.0.1" } = options;
  checkMemory(file, statSync(file).size);
  const { token, port = 0, idleSeconds = 0 } = options;
  const config = { ...toServing(options), host, port, token, idleSeconds, endWithParent: true };
  const logDir = mkdtempSync(join(tmpdir(), "troupe-serve-"));
  try {
    const spawned = await spawnServer({
      config,
      logFile: join(logDir, "log"),
      env: options.env ?? process.env,
      signal,
      onLoading: options.onLoading ?? (() => undefined),
      program: options.program,
    });
    const { child, pid, contextTokens } = spawned;
    const stop = () => child.kill("SIGTERM");
    signal.addEventListener("abort", stop, { once: true });
    if (signal.aborted) stop();
    const ended = new Promise<void>((resolve) => child.once("exit", () => resolve())).finally(() => {
      signal.removeEventListener("abort", stop);
      rmSync(logDir, { recursive: true, force: true });
    });
    return { url: `http://${host.includes(":") ? `[${host}]` : host}:${spawned.port}/v1`, pid, contextTokens, ended };
  } catch (thrown) {
    rmSync(logDir, { recursive: true, force: true });
    throw thrown;
  }
}

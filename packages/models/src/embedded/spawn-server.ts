import { type ChildProcess, spawn } from "node:child_process";
import { closeSync, mkdirSync, openSync, readFileSync } from "node:fs";
import { dirname } from "node:path";
import { fileURLToPath } from "node:url";
import { type Environment, TroupeError } from "@troupe/schema";
import { configVariable, type ServerConfig, type ServerMessage, serverMessage } from "./server-config.ts";

/** How the server process is started. */
export interface SpawnOptions {
  readonly config: ServerConfig;
  /** File that takes what the process writes, for error messages. */
  readonly logFile: string;
  /** Variables to take over; see {@link inherited}. */
  readonly env: Environment;
  readonly signal: AbortSignal;
  /** Told how much of the model is loaded, from 0 to 1. */
  readonly onLoading: (fraction: number) => void;
  /** The program; default: the built server. */
  readonly program?: URL | undefined;
}

/** A server process that answers requests. */
export interface SpawnedServer {
  readonly child: ChildProcess;
  readonly pid: number;
  readonly port: number;
  readonly contextTokens: number;
}

/** The process needs to find its libraries and devices, and none of the user's keys. */
const inherited =
  /^(path|home|userprofile|systemroot|windir|temp|tmp|tmpdir|lang|lc_.*|ld_.*|dyld_.*|cuda_.*|hip_.*|rocr_.*|vk_.*|ggml_.*|omp_.*|node_llama_cpp_.*)$/i;
const shownLines = 12;
/** The same file from `src/` and from `dist/`. */
const builtServer = new URL("../../dist/embedded/server-main.js", import.meta.url);

/**
 * Starts the server process and waits until the model is loaded.
 *
 * @throws TroupeError `model_unavailable` with the last lines that the process wrote, or the signal's reason; the process is gone then.
 */
export async function spawnServer(options: SpawnOptions): Promise<SpawnedServer> {
  options.signal.throwIfAborted();
  const child = spawnProcess(options);
  try {
    const { port, contextTokens } = await untilReady(child, options);
    return { child, pid: child.pid ?? 0, port, contextTokens };
  } catch (thrown) {
    child.kill("SIGKILL");
    throw thrown;
  }
}

function spawnProcess({ config, logFile, env, program }: SpawnOptions): ChildProcess {
  mkdirSync(dirname(logFile), { recursive: true, mode: 0o700 });
  const log = openSync(logFile, "w", 0o600);
  const kept = Object.fromEntries(Object.entries(env).filter(([name]) => inherited.test(name)));
  try {
    return spawn(process.execPath, [fileURLToPath(program ?? builtServer)], {
      // Not the user's folder, which may be removed or unmounted while the server lives.
      cwd: dirname(logFile),
      // A session of its own, so that a Ctrl-C meant for a run leaves the server to the others.
      detached: !config.endWithParent,
      stdio: ["ignore", log, log, "ipc"],
      // One pool thread: with more, the native library mixes the answers of parallel sequences.
      env: { ...kept, UV_THREADPOOL_SIZE: "1", [configVariable]: JSON.stringify(config) },
      windowsHide: true,
    });
  } finally {
    closeSync(log);
  }
}

type Ready = Extract<ServerMessage, { kind: "ready" }>;

function untilReady(child: ChildProcess, { signal, onLoading, logFile, config }: SpawnOptions): Promise<Ready> {
  return new Promise<Ready>((resolve, reject) => {
    const onMessage = (raw: unknown) => {
      const message = serverMessage.safeParse(raw).data;
      if (message?.kind === "loading") onLoading(message.fraction);
      if (message?.kind === "ready") settle(() => resolve(message));
    };
    const onError = (error: Error) => settle(() => reject(failure(config.file, error.message)));
    const onExit = (code: number | null, killedBy: string | null) =>
      settle(() => reject(failure(config.file, lastLines(logFile) || `the process ended with ${killedBy ?? `exit code ${code}`}`)));
    const onAbort = () => settle(() => reject(signal.reason));
    const settle = (how: () => void) => {
      child.off("message", onMessage).off("error", onError).off("exit", onExit);
      signal.removeEventListener("abort", onAbort);
      how();
    };
    child.on("message", onMessage).on("error", onError).on("exit", onExit);
    signal.addEventListener("abort", onAbort, { once: true });
  });
}

function failure(file: string, why: string): TroupeError {
  const message = `The embedded model ${file} can't be loaded:\n${why}\nIf the file is damaged, get it anew with \`troupe models pull\`; \`troupe doctor\` says what this machine lacks.`;
  return new TroupeError("model_unavailable", message, { details: { file, stderr: why } });
}

function lastLines(logFile: string): string {
  return readFileSync(logFile, "utf8").trim().split("\n").slice(-shownLines).join("\n");
}

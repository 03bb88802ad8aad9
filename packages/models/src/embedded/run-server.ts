import { existsSync } from "node:fs";
import type { AddressInfo } from "node:net";
import { type ServerType, serve } from "@hono/node-server";
import { type Activity, createActivity } from "./activity.ts";
import type { Inference } from "./inference.ts";
import type { LoadOptions } from "./llama-inference.ts";
import { createServerApp } from "./server-app.ts";
import type { ServerConfig, ServerMessage } from "./server-config.ts";
import { readState, removeState, writeState } from "./state-file.ts";

/** Loads a model; `loadLlama`, or a stand-in for tests. */
export type LoadInference = (options: LoadOptions, onProgress: (fraction: number) => void) => Promise<Inference>;

/** Native code that does not let go is left behind after this time. */
const closeMs = 3000;

/**
 * Serves a model until it is asked to end, nobody uses it any more, its model or state file is gone, or its parent is (if so told).
 *
 * @returns when it has ended and its state file is removed.
 */
export async function runServer(config: ServerConfig, load: LoadInference): Promise<void> {
  const ending = new AbortController();
  const end = (why: string) => ending.abort(new Error(why));
  for (const signal of ["SIGTERM", "SIGINT", "SIGHUP"] as const) process.once(signal, () => end(signal));
  if (config.endWithParent) process.once("disconnect", () => end("the parent process is gone"));
  const inference = await load(config, (fraction) => tell({ kind: "loading", fraction }));
  const activity = createActivity(Date.now);
  const app = createServerApp({ ...config, inference, activity, signal: ending.signal, onStop: () => end("asked to end") });
  const { server, port } = await listen(app.fetch, config);
  publish(config, port, inference.contextTokens);
  const watch = watchNeed(config, activity, end);
  await aborted(ending.signal);
  clearInterval(watch);
  if (config.stateFile !== undefined) removeState(config.stateFile, process.pid);
  server.close();
  await Promise.race([inference.close(), new Promise((resolve) => setTimeout(resolve, closeMs).unref())]);
}

function publish(config: ServerConfig, port: number, contextTokens: number): void {
  const { key, model, token, idleSeconds, stateFile } = config;
  const started = new Date().toISOString();
  if (stateFile !== undefined) {
    writeState(stateFile, { key, pid: process.pid, port, token: token ?? "", model, contextTokens, idleSeconds, started });
  }
  tell({ kind: "ready", port, contextTokens });
}

function watchNeed(config: ServerConfig, activity: Activity, end: (why: string) => void): NodeJS.Timeout {
  const { stateFile, file, idleSeconds } = config;
  const idleMs = idleSeconds * 1000;
  const check = () => {
    if (activity.busy > 0) return;
    if (idleMs > 0 && activity.idleMs() >= idleMs) return end("nobody uses it");
    if (!existsSync(file)) return end("the model file is gone");
    if (stateFile !== undefined && readState(stateFile)?.pid !== process.pid) end("the state file is gone: nobody could find it");
  };
  return setInterval(check, idleMs > 0 ? Math.min(1000, idleMs / 4) : 1000);
}

function listen(fetch: Parameters<typeof serve>[0]["fetch"], { host, port }: ServerConfig): Promise<{ server: ServerType; port: number }> {
  return new Promise((resolve, reject) => {
    const server = serve({ fetch, hostname: host, port }, (info: AddressInfo) => resolve({ server, port: info.port }));
    server.once("error", reject);
  });
}

function aborted(signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => (signal.aborted ? resolve() : signal.addEventListener("abort", () => resolve(), { once: true })));
}

function tell(message: ServerMessage): void {
  // The parent stops listening once the server is ready.
  if (process.connected) process.send?.(message);
}

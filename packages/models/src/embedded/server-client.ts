import { z } from "zod";
import { boundBody } from "../bounded-response.ts";
import { linkSignals } from "../linked-signal.ts";
import type { ServerState } from "./state-file.ts";

const health = z.object({ status: z.literal("ok"), key: z.string(), pid: z.number() });

/** What the server of a state file is found to be. */
export type ServerHealth = "healthy" | "gone" | "silent";

/** Asks the server of a state file whether it is there: `gone` when nothing or something else answers, `silent` when nothing comes in time. */
export async function checkServer(state: ServerState, signal: AbortSignal, timeoutMs = 3000): Promise<ServerHealth> {
  try {
    const answer = health.safeParse(JSON.parse(await callServer(state, "/health", signal, timeoutMs))).data;
    return answer?.key === state.key && answer.pid === state.pid ? "healthy" : "gone";
  } catch (thrown) {
    signal.throwIfAborted();
    return thrown instanceof Error && thrown.name === "TimeoutError" ? "silent" : "gone";
  }
}

/** Sends a request to the server of a state file and returns the body of the answer. */
export async function callServer(state: ServerState, path: string, signal: AbortSignal, timeoutMs: number): Promise<string> {
  signal.throwIfAborted();
  const either = linkSignals(signal, AbortSignal.timeout(timeoutMs));
  try {
    const response = await fetch(`http://127.0.0.1:${state.port}${path}`, {
      method: path === "/health" ? "GET" : "POST",
      headers: { authorization: `Bearer ${state.token}` },
      signal: either.signal,
    });
    return await boundBody(response).text();
  } finally {
    either.release();
  }
}

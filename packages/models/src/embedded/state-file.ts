import { mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { dirname } from "node:path";
import { z } from "zod";

/** How a running server can be reached. */
export const serverState = z.strictObject({
  key: z.string(),
  pid: z.number().int().positive(),
  port: z.number().int().positive(),
  token: z.string(),
  model: z.string(),
  contextTokens: z.number().int().positive(),
  idleSeconds: z.number().nonnegative(),
  started: z.iso.datetime(),
});
export type ServerState = z.infer<typeof serverState>;

/** Reads a state file; nothing when there is none, or when it is not one. */
export function readState(path: string): ServerState | undefined {
  try {
    return serverState.safeParse(JSON.parse(readFileSync(path, "utf8"))).data;
  } catch {
    return undefined;
  }
}

/** Writes a state file in one step, readable by its owner alone since it holds the token. */
export function writeState(path: string, state: ServerState): void {
  mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
  const part = `${path}.${state.pid}`;
  writeFileSync(part, `${JSON.stringify(state, undefined, 2)}\n`, { mode: 0o600 });
  renameSync(part, path);
}

/** Removes a state file, unless it has become another server's. */
export function removeState(path: string, pid: number): void {
  if (readState(path)?.pid === pid) rmSync(path, { force: true });
}

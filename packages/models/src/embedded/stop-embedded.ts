import { readdirSync } from "node:fs";
import { join } from "node:path";
import { type Clock, systemClock } from "@troupe/schema";
import { callServer, checkServer } from "./server-client.ts";
import { readState, type ServerState } from "./state-file.ts";

const never = new AbortController().signal;
const pollMs = 50;
const patienceMs = 6000;

/** Ends every embedded server that is noted in the data folder; returns how many there were. */
export async function stopEmbedded(dataDir: string, clock: Clock = systemClock): Promise<number> {
  const states = listStates(join(dataDir, "embedded"));
  await Promise.all(states.map((state) => stopServer(state, clock)));
  return states.length;
}

/** Ends one server: politely, then by force when it is certainly ours and does not go. */
export async function stopServer(state: ServerState, clock: Clock = systemClock): Promise<void> {
  if ((await checkServer(state, never)) === "gone") return;
  await callServer(state, "/stop", never, 3000).catch(() => undefined);
  for (let waited = 0; waited < patienceMs; waited += pollMs) {
    if (!isAlive(state.pid)) return;
    await clock.sleep(pollMs, never);
  }
  process.kill(state.pid, "SIGKILL");
}

function listStates(dir: string): ServerState[] {
  try {
    const files = readdirSync(dir).filter((name) => name.endsWith(".json"));
    return files.flatMap((name) => readState(join(dir, name)) ?? []);
  } catch {
    return [];
  }
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
}

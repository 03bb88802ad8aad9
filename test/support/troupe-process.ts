import { spawn } from "node:child_process";
import { once } from "node:events";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { root } from "./workspace.ts";

/** A call of the built command in a process of its own. */
export interface TroupeProcess {
  readonly stdout: string;
  readonly stderr: string;
  /** Its exit code, once it has ended. */
  readonly ended: Promise<number | null>;
  signal(name: NodeJS.Signals): void;
  /** Closes the reader of its standard output. */
  closeStdout(): void;
  /** Ids of all processes that it has started so far, directly or not; asked again and again while it lives. */
  descendants(): number[];
}

/** Starts the built command in a folder, with a data folder of its own there. */
export function startTroupe(words: readonly string[], folder: string, env: Record<string, string> = {}): TroupeProcess {
  const child = spawn(process.execPath, [join(root, "packages/troupe/bin/troupe.mjs"), ...words], {
    cwd: folder,
    env: { PATH: process.env["PATH"], HOME: folder, TROUPE_HOME: join(folder, "data"), TROUPE_NO_PROBE: "1", ...env },
    stdio: ["ignore", "pipe", "pipe"],
  });
  const said = { stdout: "", stderr: "" };
  child.stdout.setEncoding("utf8").on("data", (text: string) => {
    said.stdout += text;
  });
  child.stderr.setEncoding("utf8").on("data", (text: string) => {
    said.stderr += text;
  });
  return {
    get stdout() {
      return said.stdout;
    },
    get stderr() {
      return said.stderr;
    },
    ended: once(child, "close").then(([code]) => code as number | null),
    signal: (signal) => void child.kill(signal),
    closeStdout: () => child.stdout.destroy(),
    descendants: () => descendantsOf(child.pid ?? 0),
  };
}

/** Calls the command and waits for its end. */
export async function callTroupe(words: readonly string[], folder: string, env: Record<string, string> = {}) {
  const troupe = startTroupe(words, folder, env);
  const exit = await troupe.ended;
  return { exit, stdout: troupe.stdout, stderr: troupe.stderr };
}

/** Waits until something is so; the test's own time limit ends it. */
export async function until(isSo: () => boolean): Promise<void> {
  while (!isSo()) await new Promise((resolve) => setTimeout(resolve, 20));
}

/** Whether a process lives. */
export function isAlive(id: number): boolean {
  return statOf(String(id)) !== undefined;
}

function descendantsOf(root: number): number[] {
  const parents = new Map<number, number>();
  for (const name of readdirSync("/proc")) {
    const parent = /^\d+$/.test(name) ? statOf(name) : undefined;
    if (parent !== undefined) parents.set(Number(name), parent);
  }
  const isBelow = (id: number | undefined): boolean => id !== undefined && (id === root || isBelow(parents.get(id)));
  return [...parents.keys()].filter((id) => id !== root && isBelow(parents.get(id)));
}

/** The parent of a process that lives. */
function statOf(id: string): number | undefined {
  try {
    const [state, parent] = readFileSync(`/proc/${id}/stat`, "utf8")
      .replace(/^.*\) /s, "")
      .split(" ");
    return state === "Z" ? undefined : Number(parent);
  } catch {
    return undefined;
  }
}

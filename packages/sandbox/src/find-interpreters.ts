import { execFile } from "node:child_process";
import { constants } from "node:fs";
import { access, realpath } from "node:fs/promises";
import { delimiter, dirname, join } from "node:path";
import { promisify } from "node:util";
import type { Host } from "./backend.ts";

/** A program that runs programs, and the folders it can't do without. */
export interface Interpreter {
  /** Absolute path of the executable. */
  readonly path: string;
  /** Files and folders that it reads at run time: its executable, library folder, virtual environment. */
  readonly needs: readonly string[];
}

/** The interpreters of a machine. */
export interface Interpreters {
  readonly node: Interpreter;
  readonly python: Interpreter | undefined;
}

const question = "import sys, json; print(json.dumps([sys.executable, sys.prefix, sys.base_prefix]))";
const answerSeconds = 20;

/** Finds Node (the one that runs Troupe) and the first Python 3 on `PATH` that answers; version managers' shims are followed. */
export async function findInterpreters(host: Host, signal: AbortSignal): Promise<Interpreters> {
  const node = await realpath(host.nodePath);
  return { node: { path: node, needs: [node] }, python: await findPython(host, signal) };
}

/** The first executable of this name on `PATH`. */
export async function findOnPath(name: string, host: Host): Promise<string | undefined> {
  for (const folder of (host.env["PATH"] ?? "").split(delimiter).filter((part) => part.startsWith("/"))) {
    const path = join(folder, name);
    const usable = await access(path, constants.X_OK).then(
      () => true,
      () => false,
    );
    if (usable) return path;
  }
  return undefined;
}

async function findPython(host: Host, signal: AbortSignal): Promise<Interpreter | undefined> {
  for (const name of ["python3", "python"]) {
    const path = await findOnPath(name, host);
    const found = path === undefined ? undefined : await askPython(path, host, signal);
    if (found !== undefined) return found;
  }
  return undefined;
}

async function askPython(path: string, host: Host, signal: AbortSignal): Promise<Interpreter | undefined> {
  try {
    // From the root folder, because version managers look for their settings in the working folder.
    const options = { env: { ...host.env }, cwd: "/", timeout: answerSeconds * 1000, signal };
    const { stdout } = await promisify(execFile)(path, ["-I", "-c", question], options);
    const answer: unknown = JSON.parse(stdout);
    if (!Array.isArray(answer)) return undefined;
    const [executable, prefix, base] = answer.map(String);
    if (executable === undefined || prefix === undefined || base === undefined) return undefined;
    const real = await realpath(executable);
    const inEnvironment = prefix !== base;
    const folders = [await realpath(prefix), await realpath(base)].filter((folder) => !isTooWide(folder, host));
    return { path: inEnvironment ? executable : real, needs: [...new Set([real, ...folders])] };
  } catch {
    signal.throwIfAborted();
    return undefined;
  }
}

// A prefix such as "/" or the home folder would lay everything open; then the executable alone must do.
function isTooWide(folder: string, host: Host): boolean {
  const home = host.env["HOME"] ?? "/";
  return folder === "/" || home === folder || home.startsWith(`${folder}/`) || dirname(folder) === folder;
}

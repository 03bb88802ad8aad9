import { spawn } from "node:child_process";
import { constants } from "node:os";
import { dirname } from "node:path";
import { TroupeError } from "@troupe/schema";
import type { Host, Program, ProgramEnd } from "./backend.ts";
import { programEnvironment } from "./bubblewrap-arguments.ts";
import { endOf } from "./end-of.ts";
import type { Interpreters } from "./find-interpreters.ts";
import { type HostFolder, layOutFolder } from "./host-folder.ts";
import { supervise } from "./supervise.ts";
import { TreeKiller } from "./tree-killer.ts";
import { sandboxFailed } from "./sandbox-failed.ts";

/** How a backend runs a program in a folder of the host. */
export interface FolderRun {
  readonly host: Host;
  readonly interpreters: Interpreters;
  /** The words before the program: what confines it. */
  confine(folder: string): readonly string[];
}

// Each limit by itself, because systems differ in which they know. The units: seconds, 512 bytes, files.
const limitScript = 'ulimit -c 0; ulimit -t "$1"; ulimit -f "$2"; ulimit -n "$3"; ulimit -d "$4"; shift 4; exec "$@"';
const openFiles = 256;

/** Lays the tree out in a fresh folder, runs the program there as a session of its own, reads the tree back, takes it all away. */
export async function runInFolder(run: FolderRun, program: Program, signal: AbortSignal): Promise<ProgramEnd> {
  const folder = await layOutFolder(run.host.tempFolder, program.files);
  try {
    return await runProgram(run, folder, program, signal);
  } finally {
    await folder.remove();
  }
}

async function runProgram(run: FolderRun, folder: HostFolder, program: Program, signal: AbortSignal): Promise<ProgramEnd> {
  const { limits, command } = program;
  const { node, python } = run.interpreters;
  const interpreter = command.program === "node" ? node : python;
  if (interpreter === undefined)
    throw new TroupeError("sandbox_unavailable", "There is no Python 3 on PATH. Install it, or use the sandbox `wasm`.");
  const numbers = [limits.cpuSeconds, Math.floor(limits.fileMb * 2048), openFiles, limits.memoryMb * 1024].map(String);
  const words = ["-c", limitScript, "troupe", ...numbers, ...run.confine(folder.path), interpreter.path, ...command.args];
  const child = spawn("/bin/sh", words, { cwd: folder.path, detached: true, env: environment(run.interpreters, folder.path) });
  const killer = new TreeKiller(child.pid);
  const kill = () => void killer.killAll();
  const end = await supervise(child, {
    limits,
    stdin: program.stdin,
    signal,
    kill,
    watchedPid: () => child.pid,
    onUse: ({ pids }, stop) => {
      void killer.remember(pids);
      if (pids.length > limits.processes) stop("processes");
    },
    onExit: kill,
  }).catch((error: unknown) => {
    throw sandboxFailed(`The program could not be started (${String(error)}).`, error);
  });
  await killer.killAll();
  const code = end.code ?? (end.signal === null ? null : 128 + constants.signals[end.signal]);
  return { ...endOf(end, code), files: await folder.readBack(limits.fileMb * 2 ** 20) };
}

function environment({ node, python }: Interpreters, folder: string): Record<string, string> {
  const folders = new Set([...(python ? [dirname(python.path)] : []), dirname(node.path), "/usr/bin", "/bin"]);
  return { ...programEnvironment, PATH: [...folders].join(":"), HOME: folder, TMPDIR: folder };
}

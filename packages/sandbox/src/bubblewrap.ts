import { type ChildProcess, spawn } from "node:child_process";
import { randomInt } from "node:crypto";
import { readFile, statfs } from "node:fs/promises";
import { Duplex, Readable, Writable } from "node:stream";
import { type FileEntry, TroupeError } from "@troupe/schema";
import type { Backend, Host, Program, ProgramEnd } from "./backend.ts";
import { type BubblewrapSetting, bubblewrapArguments, channels, writableFolders } from "./bubblewrap-arguments.ts";
import { endOf } from "./end-of.ts";
import { findInterpreters, findOnPath } from "./find-interpreters.ts";
import { childrenOf } from "./process-tree.ts";
import { seccompFilter } from "./seccomp-filter.ts";
import { supervise } from "./supervise.ts";
import { findSystemMounts } from "./system-mounts.ts";
import { packTree, unpackTree } from "./tree-stream.ts";
import { sandboxFailed } from "./sandbox-failed.ts";

/**
 * Linux namespaces by bubblewrap: no network, no file of the host but the system's programs, an own user, own processes.
 *
 * Nothing is laid down on the host's disk; the workspace is memory of bounded size, and trees travel through pipes.
 */
export const bubblewrap: Backend = {
  name: "bubblewrap",
  strength: "os",
  languages: ["python", "javascript", "typescript"],
  async open(host, signal) {
    if (host.platform !== "linux") throw new TroupeError("sandbox_unavailable", "bubblewrap works on Linux only.");
    const bwrap = await requireTools(host);
    const interpreters = await findInterpreters(host, signal);
    const { node, python } = interpreters;
    const mounts = await findSystemMounts(python === undefined ? [node] : [node, python]);
    const filter = seccompFilter(host.arch);
    const nextIdentity = await identities(host);
    return (program, runSignal) => {
      const setting = { mounts, interpreters, filtered: filter !== undefined, identity: nextIdentity() };
      return runInBubblewrap({ bwrap, setting, filter }, program, runSignal);
    };
  },
};

const bytesPerInode = 1024;

interface Tools {
  readonly bwrap: string;
  readonly setting: BubblewrapSetting;
  readonly filter: Buffer | undefined;
}

async function requireTools(host: Host): Promise<string> {
  const bwrap = await findOnPath("bwrap", host);
  if (bwrap === undefined) {
    throw new TroupeError(
      "sandbox_unavailable",
      "bubblewrap is not installed. Install it: `sudo apt install bubblewrap`, or see docs/sandbox.md.",
    );
  }
  for (const tool of host.uid === 0 ? ["prlimit", "setpriv", "tar"] : ["prlimit", "tar"]) {
    if ((await findOnPath(tool, host)) === undefined) {
      throw new TroupeError("sandbox_unavailable", `bubblewrap needs \`${tool}\`, which is not on PATH. Install util-linux and tar.`);
    }
  }
  return bwrap;
}

async function identities(host: Host): Promise<() => BubblewrapSetting["identity"]> {
  if (host.uid !== 0) return () => ({ kind: "mapped" });
  const map = await readFile("/proc/self/uid_map", "utf8").catch(() => "");
  const ids = Number(map.trim().split(/\s+/)[2] ?? 0);
  // Above all ids that systems hand out; in a container with few ids, among its upper ones.
  const [from, to] = ids > 2 ** 31 ? [1_900_000_000, 2_000_000_000] : [Math.floor(ids / 2), ids];
  return () => ({ kind: "switched", uid: randomInt(from, Math.max(to, from + 1)) });
}

async function runInBubblewrap({ bwrap, setting, filter }: Tools, program: Program, signal: AbortSignal): Promise<ProgramEnd> {
  if (program.command.program === "python" && setting.interpreters.python === undefined) {
    throw new TroupeError("sandbox_unavailable", "There is no Python 3 on PATH. Install it, or use the sandbox `wasm`.");
  }
  const child = spawn(bwrap, bubblewrapArguments(setting, program), { env: {}, cwd: "/", stdio: Array(7).fill("pipe") });
  const init = readInitPid(readable(child, channels.status));
  const kill = () => {
    child.kill("SIGKILL");
    const pid = init();
    if (pid !== undefined && child.exitCode === null) killQuietly(pid);
  };
  send(child, channels.seccomp, Readable.from(filter === undefined ? [] : [filter]));
  send(child, channels.treeIn, packTree(program.files));
  const report = readReport(readable(child, channels.treeOut), program.limits.fileMb * 2 ** 20);
  const end = await supervise(child, {
    limits: program.limits,
    stdin: program.stdin,
    signal,
    kill,
    stopProgram: () => killProgram(init()),
    watchedPid: init,
    otherBytes: () => inodeBytes(init()),
  }).catch((error: unknown) => {
    throw sandboxFailed(`bubblewrap could not be started (${String(error)}).`, error);
  });
  const { first, files } = await report;
  const started = init() !== undefined && first !== "setup";
  if (!started && end.stopped === undefined) {
    throw sandboxFailed(`bubblewrap could not set the sandbox up (${end.stderr.text().trim() || `exit code ${end.code}`}).`);
  }
  const code = first === undefined ? null : Number(first);
  return { ...endOf(end, code), files: first === undefined ? undefined : files };
}

// The program is the only child of the shell, which is the first child of the namespace's init.
async function killProgram(init: number | undefined): Promise<void> {
  const [shell] = init === undefined ? [] : await childrenOf(init);
  const [program] = shell === undefined ? [] : await childrenOf(shell);
  if (program === undefined) throw new Error("there is no program to end");
  killQuietly(program);
}

/** What the kernel spends on files beside their content; a million empty ones is a gigabyte. */
async function inodeBytes(init: number | undefined): Promise<number> {
  const [shell] = init === undefined ? [] : await childrenOf(init);
  if (shell === undefined) return 0;
  const counts = writableFolders.map(async (folder) => {
    const { files, ffree } = await statfs(`/proc/${shell}/root${folder}`);
    return files - ffree;
  });
  const all = await Promise.all(counts).catch(() => []);
  return all.reduce((sum, count) => sum + count, 0) * bytesPerInode;
}

function killQuietly(pid: number): void {
  try {
    process.kill(pid, "SIGKILL");
  } catch {
    // It ended just now.
  }
}

function readInitPid(status: Readable): () => number | undefined {
  let text = "";
  status.on("data", (chunk: Buffer) => {
    if (text.length < 4096) text += chunk.toString("latin1");
  });
  return () => {
    const found = /"child-pid":\s*(\d+)/.exec(text)?.[1];
    return found === undefined ? undefined : Number(found);
  };
}

interface Report {
  /** The first line: an exit code, or `setup`; undefined when the sandbox ended without one. */
  readonly first: string | undefined;
  readonly files: readonly FileEntry[];
}

async function readReport(stream: Readable, maxBytes: number): Promise<Report> {
  const first = await readLine(stream);
  if (first === undefined || !/^(setup|\d{1,3})$/.test(first)) {
    stream.resume();
    return { first: undefined, files: [] };
  }
  return { first, files: await unpackTree(stream, maxBytes) };
}

async function readLine(stream: Readable): Promise<string | undefined> {
  let held = Buffer.alloc(0);
  while (held.length < 16) {
    const chunk: unknown = stream.read() ?? (await readableOrEnd(stream));
    if (!Buffer.isBuffer(chunk)) {
      if (stream.readableEnded || stream.destroyed) return undefined;
      continue;
    }
    held = Buffer.concat([held, chunk]);
    const end = held.indexOf("\n");
    if (end >= 0) {
      if (end + 1 < held.length) stream.unshift(held.subarray(end + 1));
      return held.subarray(0, end).toString("latin1");
    }
  }
  return undefined;
}

function readableOrEnd(stream: Readable): Promise<undefined> {
  return new Promise((resolve) => {
    const done = () => {
      for (const name of ["readable", "end", "close", "error"]) stream.off(name, done);
      resolve(undefined);
    };
    for (const name of ["readable", "end", "close", "error"]) stream.on(name, done);
  });
}

function send(child: ChildProcess, channel: number, content: Readable): void {
  const target = child.stdio[channel];
  if (!(target instanceof Writable || target instanceof Duplex)) return;
  target.on("error", () => undefined);
  content.pipe(target);
}

function readable(child: ChildProcess, channel: number): Readable {
  const source = child.stdio[channel];
  if (!(source instanceof Readable)) throw new TroupeError("internal", `Channel ${channel} of the sandbox is not open.`);
  source.on("error", () => undefined);
  return source;
}

import { type ChildProcess, execFile, spawn } from "node:child_process";
import { Readable, Writable } from "node:stream";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { TroupeError } from "@troupe/schema";
import type { Backend, Host, Program, ProgramEnd } from "./backend.ts";
import { findOnPath } from "./find-interpreters.ts";
import { type SupervisedEnd, endedBy, supervise } from "./supervise.ts";
import { type ChildJob, childChannels } from "./wasm/channel.ts";
import { parseReport } from "./wasm/parse-report.ts";
import { sandboxFailed } from "./sandbox-failed.ts";

/**
 * WebAssembly in a walled child process: JavaScript by QuickJS, Python by Pyodide. The weaker sandbox: its border is the
 * runtime's own, not the operating system's.
 */
export const wasm: Backend = {
  name: "wasm",
  strength: "wasm",
  languages: ["python", "javascript", "typescript"],
  async open(host) {
    const prlimit = host.platform === "linux" ? await findOnPath("prlimit", host) : undefined;
    return (program, signal) => runInWasm({ host, prlimit }, program, signal);
  },
};

interface Tools {
  readonly host: Host;
  /** Sets limits of a running process; undefined where there is no such thing. */
  readonly prlimit: string | undefined;
}

const children = { python: "pyodide-main.js", node: "quickjs-main.js" };
/** MiB that the runtimes take themselves, beside what the program may have. */
const runtimeMb = { python: 768, node: 256 };
/** Seconds left to a runtime that ends the program itself, so that its files can be read. */
const ownEndSeconds = { python: 0, node: 6 };
const startSeconds = 60;
const wasmPageBytes = 65_536;

async function runInWasm(tools: Tools, program: Program, signal: AbortSignal): Promise<ProgramEnd> {
  const { command, limits } = program;
  const child = spawn(tools.host.nodePath, childArguments(program), { env: {}, cwd: "/", stdio: Array(5).fill("pipe") });
  const { ready, report } = talk(child, tools, program);
  const end = await supervise(child, {
    limits: { ...limits, seconds: limits.seconds + ownEndSeconds[command.program], memoryMb: limits.memoryMb + runtimeMb[command.program] },
    stdin: "",
    signal,
    kill: () => child.kill("SIGKILL"),
    watchedPid: () => child.pid,
    start: { ready, seconds: startSeconds },
  }).catch((error: unknown) => {
    throw sandboxFailed(`The WebAssembly process could not be started (${String(error)}).`, error);
  });
  if (!(await ready) && end.stopped === undefined) {
    throw sandboxFailed(`The WebAssembly process ended before the program began (${end.stderr.text().slice(-2000)}).`);
  }
  return toProgramEnd(end, parseReport(await report));
}

function childArguments({ command, limits }: Program): string[] {
  const entry = fileURLToPath(new URL(`../dist/wasm/${children[command.program]}`, import.meta.url));
  const pages = Math.ceil((limits.memoryMb * 2 ** 20) / wasmPageBytes);
  return [
    "--disallow-code-generation-from-strings",
    "--no-addons",
    "--no-warnings",
    `--wasm-max-mem-pages=${Math.max(pages, 1024)}`,
    `--max-old-space-size=${runtimeMb[command.program]}`,
    entry,
  ];
}

interface Talk {
  /** Whether the program was started; settles when it is, or when the child is gone. */
  readonly ready: Promise<boolean>;
  /** What the child sent after it was ready. */
  readonly report: Promise<Buffer>;
}

function talk(child: ChildProcess, tools: Tools, program: Program): Talk {
  const orders = child.stdio[childChannels.orders];
  const reports = child.stdio[childChannels.reports];
  if (!(orders instanceof Writable && reports instanceof Readable)) {
    throw new TroupeError("internal", "The channels of the sandbox are not open.");
  }
  orders.on("error", () => undefined);
  orders.write(`${JSON.stringify(jobOf(program))}\n`);
  const most = program.limits.fileMb * 2 ** 20 * 2 + 2 ** 20;
  const chunks: Buffer[] = [];
  let bytes = 0;
  let start: (started: boolean) => void;
  const ready = new Promise<boolean>((resolve) => {
    start = resolve;
  });
  const begin = async () => {
    await lockChild(tools.prlimit, child);
    orders.end("go\n");
    start(true);
  };
  const report = new Promise<Buffer>((resolve) => {
    reports.on("data", (chunk: Buffer) => {
      if (bytes === 0) void begin();
      bytes += chunk.length;
      if (bytes <= most) chunks.push(chunk);
    });
    reports.on("error", () => undefined);
    reports.on("close", () => {
      start(false);
      resolve(Buffer.concat(chunks));
    });
  });
  return { ready, report };
}

function jobOf({ files, command, stdin, limits }: Program): ChildJob {
  const { memoryMb, fileMb } = limits;
  return { files, command, stdin, memoryMb, fileMb, milliseconds: limits.seconds * 1000 };
}

/**
 * The last wall, where the system has it: from now on the child can't open a file, a socket or a process, whatever it runs,
 * because it gets no new file descriptor and can't write to any file.
 */
async function lockChild(prlimit: string | undefined, child: ChildProcess): Promise<void> {
  if (prlimit === undefined || child.pid === undefined) return;
  const limits = ["--nofile=0", "--fsize=0", "--nproc=0", "--core=0", "--memlock=0", "--msgqueue=0"];
  await promisify(execFile)(prlimit, ["--pid", `${child.pid}`, ...limits]).catch(() => {
    child.kill("SIGKILL");
  });
}

function toProgramEnd(end: SupervisedEnd, report: ReturnType<typeof parseReport>): ProgramEnd {
  const { stdout, stderr } = end;
  const output = { stdout: stdout.text(), stderr: stderr.text(), truncated: stdout.truncated || stderr.truncated };
  if (end.stopped !== undefined) return { ended: endedBy(end.stopped), exitCode: null, ...output, files: undefined };
  if (report === undefined) {
    const memory = /out of memory|allocation failed/i.test(output.stderr);
    return { ended: memory ? "memory" : "killed", exitCode: null, ...output, files: undefined };
  }
  const { ended, exitCode, files } = report;
  return { ended, exitCode: ended === "exited" ? exitCode : null, ...output, files };
}

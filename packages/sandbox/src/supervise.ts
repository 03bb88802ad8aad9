import type { ChildProcess } from "node:child_process";
import type { Readable, Writable } from "node:stream";
import type { SandboxLimits, SandboxResult } from "@troupe/schema";
import { BoundedOutput } from "./bounded-output.ts";
import { proportionalBytesOf, type TreeUse, useOf } from "./process-tree.ts";

/** Why we ended a program that did not end by itself. */
export type StopReason = "timeout" | "cancelled" | "memory" | "output" | "processes";

/** What a supervisor needs to know. */
export interface Supervision {
  readonly limits: SandboxLimits;
  readonly stdin: string;
  readonly signal: AbortSignal;
  /** Ends the program alone, so that its tree can still be read; absent: everything is killed at once. */
  readonly stopProgram?: () => Promise<void>;
  /** Kills everything, in a way that can't be resisted. */
  readonly kill: () => void;
  /** The process that counts against the memory limit, with all its descendants. */
  readonly watchedPid: () => number | undefined;
  /** Bytes that count as memory though no process holds them. */
  readonly otherBytes?: () => Promise<number>;
  /** Told what the tree uses, again and again. */
  readonly onUse?: (use: TreeUse, stop: (reason: StopReason) => void) => void;
  /** Called when the process is gone, though others may still hold its pipes open; then the pipes are closed. Default: we wait. */
  readonly onExit?: () => void;
  /** When the program's seconds begin, for runtimes that take long to start: at `ready`, which may take `seconds`. Default: at once. */
  readonly start?: { readonly ready: Promise<unknown>; readonly seconds: number };
}

/** How a supervised process ended. */
export interface SupervisedEnd {
  readonly code: number | null;
  readonly signal: NodeJS.Signals | null;
  /** Why we ended it; undefined when it ended by itself. */
  readonly stopped: StopReason | undefined;
  readonly stdout: BoundedOutput;
  readonly stderr: BoundedOutput;
}

/** Seconds that reading the tree back may take after the program was told to end. */
const graceSeconds = 5;
const watchMilliseconds = process.platform === "linux" ? 100 : 500;
/** How long pipes may stay open after the process is gone. */
const pipeMilliseconds = 500;
/** A program may print this many times what is kept of it; beyond, it is ended. */
const outputFactor = 1024;

/**
 * Watches a process until all its pipes are closed: feeds and drains it, and ends it when it goes over a limit or the signal
 * is aborted. Leaves no timer or listener behind, and rejects only if the process could not be started.
 */
export async function supervise(child: ChildProcess, watch: Supervision): Promise<SupervisedEnd> {
  const stopper = new Stopper(watch);
  const stdout = drain(child.stdout, watch.limits, stopper);
  const stderr = drain(child.stderr, watch.limits, stopper);
  feed(child.stdin, watch.stdin);
  const abort = () => stopper.stop("cancelled");
  watch.signal.addEventListener("abort", abort, { once: true });
  const clock = new Deadline(watch, () => stopper.stop("timeout"));
  const memoryWatch = setInterval(() => void checkMemory(watch, stopper), watchMilliseconds);
  if (watch.signal.aborted) abort();
  try {
    const end = await new Promise<{ code: number | null; signal: NodeJS.Signals | null }>((resolve, reject) => {
      child.once("error", reject);
      child.once("exit", () => leave(child, watch));
      child.once("close", (code, signal) => resolve({ code, signal }));
    });
    return { ...end, stopped: stopper.reason, stdout, stderr };
  } finally {
    clearInterval(memoryWatch);
    clock.close();
    stopper.close();
    watch.signal.removeEventListener("abort", abort);
  }
}

/** The name of our reason in a result. */
export function endedBy(reason: StopReason): SandboxResult["ended"] {
  return reason === "output" || reason === "processes" ? "killed" : reason;
}

class Deadline {
  #timer: NodeJS.Timeout;
  #closed = false;

  constructor({ limits, start }: Supervision, expire: () => void) {
    this.#timer = setTimeout(expire, (start?.seconds ?? limits.seconds) * 1000);
    void start?.ready.then(() => {
      clearTimeout(this.#timer);
      if (!this.#closed) this.#timer = setTimeout(expire, limits.seconds * 1000);
    });
  }

  close(): void {
    this.#closed = true;
    clearTimeout(this.#timer);
  }
}

class Stopper {
  readonly #watch: Supervision;
  #grace: NodeJS.Timeout | undefined;
  reason: StopReason | undefined;

  constructor(watch: Supervision) {
    this.#watch = watch;
  }

  stop(reason: StopReason): void {
    if (this.reason !== undefined) return;
    this.reason = reason;
    const { stopProgram, kill } = this.#watch;
    if (reason === "cancelled" || stopProgram === undefined) {
      kill();
    } else {
      this.#grace = setTimeout(kill, graceSeconds * 1000);
      stopProgram().catch(kill);
    }
  }

  close(): void {
    clearTimeout(this.#grace);
  }
}

function drain(stream: Readable | null, limits: SandboxLimits, stopper: Stopper): BoundedOutput {
  const output = new BoundedOutput(limits.outputBytes);
  stream?.on("data", (chunk: Buffer) => {
    output.push(chunk);
    if (output.total > limits.outputBytes * outputFactor) stopper.stop("output");
  });
  stream?.on("error", () => undefined);
  return output;
}

function feed(stream: Writable | null, text: string): void {
  // A program that does not read its input closes the pipe, which is its right.
  stream?.on("error", () => undefined);
  stream?.end(text);
}

function leave(child: ChildProcess, { onExit }: Supervision): void {
  if (onExit === undefined) return;
  onExit();
  const timer = setTimeout(() => {
    child.stdout?.destroy();
    child.stderr?.destroy();
  }, pipeMilliseconds);
  child.once("close", () => clearTimeout(timer));
}

async function checkMemory(watch: Supervision, stopper: Stopper): Promise<void> {
  const pid = watch.watchedPid();
  if (pid === undefined || stopper.reason !== undefined) return;
  const limit = watch.limits.memoryMb * 2 ** 20;
  const use = await useOf(pid);
  watch.onUse?.(use, (reason) => stopper.stop(reason));
  const other = (await watch.otherBytes?.()) ?? 0;
  if (use.residentBytes + other > limit && (await proportionalBytesOf(pid)) + other > limit) stopper.stop("memory");
}

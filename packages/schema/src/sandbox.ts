import type { FileEntry } from "./artifact.ts";
import type { Command } from "./task.ts";

/** Bounds of one program run. */
export interface SandboxLimits {
  /** Wall-clock seconds; default 20. */
  readonly seconds: number;
  /** CPU seconds; default 20. */
  readonly cpuSeconds: number;
  /** Memory in MiB; default 1024. */
  readonly memoryMb: number;
  /** Processes and threads; default 64. */
  readonly processes: number;
  /** MiB that one file, and all files together, may have; default 64. */
  readonly fileMb: number;
  /** Bytes kept of each of stdout and stderr; default 65536. */
  readonly outputBytes: number;
}

export const defaultSandboxLimits: SandboxLimits = Object.freeze({
  seconds: 20,
  cpuSeconds: 20,
  memoryMb: 1024,
  processes: 64,
  fileMb: 64,
  outputBytes: 65536,
});

/** A program to run on a tree of files. */
export interface SandboxJob {
  readonly files: readonly FileEntry[];
  readonly command: Command;
  readonly stdin?: string;
  readonly limits?: Partial<SandboxLimits>;
}

/** What a program did. */
export interface SandboxResult {
  /** How it ended; `exited` has an exit code. */
  readonly ended: "exited" | "timeout" | "memory" | "killed" | "cancelled";
  readonly exitCode: number | null;
  /** The signal that killed it, such as `SIGSEGV`, when it was `killed` by one and the sandbox knows which. */
  readonly signal?: string;
  readonly stdout: string;
  readonly stderr: string;
  /** Whether stdout or stderr had more than `outputBytes`. */
  readonly truncated: boolean;
  readonly seconds: number;
  /**
   * The tree afterwards: regular files only, sorted by path, bounded by `fileMb`; symlinks are not followed. When all had to
   * be killed at once, so that it could not be read back, it is the tree that went in.
   */
  readonly files: readonly FileEntry[];
  /** Name of the backend that ran it. */
  readonly sandbox: string;
}

/** The port to the place where model-written code runs. */
export interface Sandbox {
  /** `bubblewrap`, `seatbelt`, `wasm` or `none`. */
  readonly name: string;
  /** `os`: a boundary of the operating system; `wasm`: the weaker one; `none`: no boundary. */
  readonly strength: "os" | "wasm" | "none";
  /**
   * Lays the files out in a fresh folder, runs the program in it, and reads the tree back; nothing stays behind.
   *
   * @throws TroupeError `sandbox_failed` when the sandbox itself fails; what the program does is a result, never an error.
   */
  run(job: SandboxJob, signal: AbortSignal): Promise<SandboxResult>;
}

import type { Command, FileEntry, Language, Sandbox, SandboxLimits, SandboxResult } from "@troupe/schema";

/** The names of the backends, from the strongest to none at all. */
export type SandboxName = "bubblewrap" | "seatbelt" | "wasm" | "none";

/** What a backend knows of the machine; injected, so that tests can make their own. */
export interface Host {
  readonly platform: NodeJS.Platform;
  readonly arch: string;
  /** Numeric user id; undefined where the platform has none. */
  readonly uid: number | undefined;
  /** The environment that `PATH` and `HOME` are read from; programs never see it. */
  readonly env: Readonly<Record<string, string | undefined>>;
  /** The interpreter of JavaScript: the one that runs Troupe. */
  readonly nodePath: string;
  /** Where temporary folders are made. */
  readonly tempFolder: string;
}

/** A program that passed all checks: limits complete, files without conflict, types stripped. */
export interface Program {
  readonly files: readonly FileEntry[];
  readonly command: Command;
  readonly stdin: string;
  readonly limits: SandboxLimits;
}

/** What a backend tells of a program that ended. */
export interface ProgramEnd extends Pick<SandboxResult, "ended" | "exitCode" | "signal" | "stdout" | "stderr" | "truncated"> {
  /** The tree afterwards; undefined when it could not be read back, because all had to be killed at once. */
  readonly files: readonly FileEntry[] | undefined;
}

/** Runs one program in a fresh sandbox; never rejects for what the program does. */
export type RunProgram = (program: Program, signal: AbortSignal) => Promise<ProgramEnd>;

/** One way to run untrusted code. Every backend is one file with this form. */
export interface Backend {
  readonly name: SandboxName;
  readonly strength: Sandbox["strength"];
  /** Languages that it can run where it works. */
  readonly languages: readonly Language[];
  /**
   * Looks for what the backend needs and binds it.
   *
   * @throws TroupeError `sandbox_unavailable`, with what is missing and how to get it.
   */
  open(host: Host, signal: AbortSignal): Promise<RunProgram>;
}

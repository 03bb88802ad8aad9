import type { Command, FileEntry, SandboxResult } from "@troupe/schema";
import { shorten } from "../prompts/sections.ts";
import type { Bench } from "../work.ts";

/** Seconds that a program or its tests may take. */
const seconds = 15;
/** Characters of output that a model is shown. */
const maxOutput = 1800;
/** Characters of output that the log keeps. */
const maxLogged = 1000;

/** A program call to try out. */
export interface Trial {
  readonly tool: "run_program" | "run_tests";
  readonly files: readonly FileEntry[];
  readonly command: Command;
  readonly stdin?: string;
  /** How the call is called in prompts and in the log. */
  readonly title: string;
  /** Whether the program did well. */
  readonly judge: (result: SandboxResult) => boolean;
}

/** What came of a {@link Trial}. */
export interface TrialResult {
  readonly ok: boolean;
  readonly result: SandboxResult;
  /** What it printed and how it ended, shortened for a model. */
  readonly text: string;
}

/** Runs a program in the sandbox with empty standard input unless told otherwise, and reports it. Files that it writes are dropped. */
export async function runInSandbox({ context, sandbox }: Bench, trial: Trial): Promise<TrialResult> {
  context.signal.throwIfAborted();
  const job = { files: trial.files, command: trial.command, stdin: trial.stdin ?? "", limits: { seconds, cpuSeconds: seconds } };
  const result = await sandbox.run(job, context.signal);
  context.signal.throwIfAborted();
  const ok = trial.judge(result);
  const text = describe(result);
  context.report({
    tool: trial.tool,
    input: trial.title,
    output: shorten(text, maxLogged),
    ok,
    exitCode: result.exitCode,
    sandbox: result.sandbox,
    seconds: result.seconds,
  });
  return { ok, result, text: shorten(text, maxOutput) };
}

function describe(result: SandboxResult): string {
  const output = [result.stdout.trimEnd(), result.stderr.trimEnd()].filter((part) => part !== "").join("\n");
  return `${output === "" ? "(no output)" : output}\n${ending(result)}`;
}

function ending(result: SandboxResult): string {
  switch (result.ended) {
    case "exited":
      return `(exit code ${result.exitCode})`;
    case "timeout":
      return `(did not end within ${seconds} seconds with empty standard input and was stopped)`;
    case "memory":
      return "(stopped: it used too much memory)";
    case "killed":
      return "(stopped: it broke a limit of the sandbox)";
    case "cancelled":
      return "(cancelled)";
  }
}

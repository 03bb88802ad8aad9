import {
  type Command,
  type ExampleCall,
  entryOf,
  type FileEntry,
  isTroupeError,
  lackedInput,
  type PublicTask,
  type Sandbox,
  type SandboxResult,
  showsCrash,
  sortFiles,
} from "@troupe/schema";
import { lastWords } from "../last-words.ts";
import { unfit } from "../unfit.ts";
import { type Measure, measured, unmeasured } from "./software-metrics.ts";

/** What running a product needs. */
export interface ExecutabilityOptions {
  readonly sandbox: Sandbox;
  readonly signal: AbortSignal;
  /** Seconds of one call. Default 10. */
  readonly seconds?: number | undefined;
}

const defaultSeconds = 10;

/**
 * 1 when the program runs: each of the task's example calls ends with exit code 0, without a traceback, within the time limit; else 0.
 *
 * A task without example calls says nothing of arguments and input, so the program is called once without any. It may refuse: exit code 1
 * or 2 with a message and no traceback counts as running. A program that asks for input then is not measured.
 */
export async function measureExecutability(task: CalledTask, files: readonly FileEntry[], options: ExecutabilityOptions): Promise<Measure> {
  const entry = entryOf(task);
  if (!files.some(({ path }) => path === entry)) return measured(0, `The product has no ${entry}.`);
  const tree = sortFiles([...task.files, ...files]);
  const { calls } = task;
  if (calls === undefined) return runCall(task, tree, undefined, options);
  for (const call of calls) {
    const judged = await runCall(task, tree, call, options);
    if (judged.kind === "unmeasured" || judged.value === 0) return judged;
  }
  return measured(
    1,
    calls.length === 1 ? "The example call ends with exit code 0." : `All ${calls.length} example calls end with exit code 0.`,
  );
}

/** The part of a task that says how its program is called. */
export type CalledTask = Pick<PublicTask, "entry" | "language" | "files" | "calls">;

async function runCall(
  task: CalledTask,
  files: readonly FileEntry[],
  call: ExampleCall | undefined,
  { sandbox, signal, seconds = defaultSeconds }: ExecutabilityOptions,
): Promise<Measure> {
  const command: Command = { program: task.language === "python" ? "python" : "node", args: [entryOf(task), ...(call?.args ?? [])] };
  const job = { files, command, stdin: call?.stdin ?? "", limits: { seconds, cpuSeconds: Math.ceil(seconds) } };
  const result = await sandbox.run(job, signal).catch(withoutSandbox);
  signal.throwIfAborted();
  if ("unfit" in result) return measured(0, result.unfit);
  if ("kind" in result) return result;
  const words = [command.program, ...command.args].join(" ");
  return call === undefined ? judgeBare(result, words, seconds) : judgeCall(result, words, seconds);
}

function withoutSandbox(error: unknown): { unfit: string } | Measure {
  if (isTroupeError(error, "sandbox_failed") || isTroupeError(error, "sandbox_unavailable")) {
    return unmeasured(`It could not be run: ${error.message}`);
  }
  return unfit(error);
}

function judgeCall(result: SandboxResult, words: string, seconds: number): Measure {
  const fault = faultOf(result, seconds);
  if (fault !== undefined) return measured(0, `\`${words}\` ${fault}`);
  return result.exitCode === 0 ? measured(1, `\`${words}\` ends with exit code 0.`) : measured(0, `\`${words}\` ${exitOf(result)}`);
}

function judgeBare(result: SandboxResult, words: string, seconds: number): Measure {
  if (result.ended === "exited" && result.exitCode !== 0 && lackedInput(result.stderr)) {
    return unmeasured(`\`${words}\` asks for input, and the task has no example call that gives some (\`calls\`).`);
  }
  const judged = judgeCall(result, words, seconds);
  if (result.ended !== "exited" || result.exitCode === 0 || showsCrash(output(result))) return judged;
  const refuses = (result.exitCode === 1 || result.exitCode === 2) && output(result).trim() !== "";
  return refuses ? measured(1, `\`${words}\`, called without arguments, refuses with a message and exit code ${result.exitCode}.`) : judged;
}

/** What is wrong whatever the exit code says. */
function faultOf(result: SandboxResult, seconds: number): string | undefined {
  switch (result.ended) {
    case "timeout":
      return `does not end within ${seconds} s.`;
    case "memory":
      return "runs out of memory.";
    case "killed":
      return "is killed at a limit of the sandbox.";
    case "cancelled":
      return "was interrupted.";
    case "exited":
      // What a program prints on purpose goes to its standard output.
      return showsCrash(result.exitCode === 0 ? result.stderr : output(result)) ? `crashes: ${lastWords(result)}` : undefined;
  }
}

function exitOf(result: SandboxResult): string {
  const said = output(result).trim() === "" ? "." : `: ${lastWords(result)}`;
  return `ends with exit code ${result.exitCode}${said}`;
}

const output = ({ stdout, stderr }: SandboxResult): string => `${stdout}\n${stderr}`;

import { constants } from "node:os";
import type { ProgramEnd } from "./backend.ts";
import { endedBy, type SupervisedEnd } from "./supervise.ts";

const outOfMemory = /JavaScript heap out of memory|Committing semi space failed|Allocation failed - process out of memory/;

/**
 * How a program ended, in the words of a result.
 *
 * @param code what the shell in between reports: 128 + n for signal n; null when it could not report.
 */
export function endOf(end: SupervisedEnd, code: number | null): Omit<ProgramEnd, "files"> {
  const { stdout, stderr } = end;
  const output = { stdout: stdout.text(), stderr: stderr.text(), truncated: stdout.truncated || stderr.truncated };
  const signal = code === null ? undefined : fatalSignals.get(code - 128);
  const ended = how(end, code, signal, output.stderr);
  const killer = ended === "killed" && signal !== undefined && end.stopped === undefined ? { signal } : {};
  return { ended, exitCode: ended === "exited" ? code : null, ...killer, ...output };
}

// Programs exit with small numbers; these are the deaths that a shell tells as 128 + n.
const fatalSignals = new Map(
  (
    [
      "SIGILL",
      "SIGTRAP",
      "SIGABRT",
      "SIGBUS",
      "SIGFPE",
      "SIGKILL",
      "SIGSEGV",
      "SIGPIPE",
      "SIGTERM",
      "SIGXCPU",
      "SIGXFSZ",
      "SIGSYS",
    ] as const
  ).map((name) => [constants.signals[name], name]),
);

function how(end: SupervisedEnd, code: number | null, signal: NodeJS.Signals | undefined, stderr: string): ProgramEnd["ended"] {
  if (end.stopped !== undefined) return endedBy(end.stopped);
  if (signal === "SIGXCPU") return "timeout";
  if (signal !== undefined && outOfMemory.test(stderr)) return "memory";
  return code === null || signal !== undefined ? "killed" : "exited";
}

import type { SandboxResult } from "@troupe/schema";

/** Of what a program wrote: the line that names the error, or else the last one. */
export function lastWords({ stdout, stderr, exitCode }: Pick<SandboxResult, "stdout" | "stderr" | "exitCode">): string {
  const lines = `${stdout}\n${stderr}`.split("\n").map((line) => line.trim());
  const said = lines.filter((line) => line !== "");
  const error = said.findLast((line) => /^(?:Uncaught )?[\w.]*(?:Error|Exception|Exit|Interrupt)\b/.test(line));
  return (error ?? said.at(-1) ?? `exit code ${exitCode}`).slice(0, 200);
}

import { resolve } from "node:path";
import { type Ports, type TroupeResult, writeProduct } from "@troupe/runtime";
import type { Task } from "@troupe/schema";
import { gradeProduct } from "@troupe/tasks";
import type { TroupeContext } from "../context.ts";
import { exitCodeOfOutcome } from "../exit-code.ts";

/** Everything that the end of a run needs. */
export interface FinishedRun {
  readonly context: TroupeContext;
  readonly ports: Ports;
  readonly result: TroupeResult;
  readonly task: Task;
  /** Folder for the product, relative to the working folder. */
  readonly out: string;
  readonly json: boolean;
}

/** Writes the product, says where it is, whether it works and what it cost, and sets the exit code. */
export async function finishRun({ context, ports, result, task, out, json }: FinishedRun): Promise<void> {
  const { stderr, stdout } = context.process;
  const { outcome, artifact, usage } = result;
  context.exit = exitCodeOfOutcome(outcome.kind);
  if (artifact !== undefined) {
    const paths = await writeProduct(artifact, resolve(context.cwd, out));
    stderr.write(`Product: ${paths.join(", ")}\n`);
    if (!json) stdout.write(`${out}\n`);
    if (task.grader !== undefined) {
      const { passed, reason } = await gradeProduct(task, artifact, { sandbox: ports.sandbox, signal: context.signal });
      stderr.write(`${passed ? "Passed" : "Failed"} the hidden tests: ${reason}\n`);
    }
  }
  if (outcome.kind === "failed") stderr.write(`${outcome.error.message} [${outcome.error.code}]\n`);
  stderr.write(`${usage.calls} calls, ${usage.inputTokens} + ${usage.outputTokens} tokens, ${result.seconds.toFixed(1)} s\n`);
}

import type { FileEntry, PublicTask, Sandbox } from "@troupe/schema";
import { type Check, runProgram, runTests } from "./check-tree.ts";

/** What trying a product out needs. */
export interface CheckProductOptions {
  readonly task: PublicTask;
  readonly sandbox: Sandbox;
  readonly signal: AbortSignal;
}

/** What trying a product out showed; a part is absent when there is nothing of it to run. */
export interface ProductCheck {
  /** Its entry, started once without arguments, or imported when it is a module. A usage message is no failure, a traceback is. */
  readonly program: Check | undefined;
  /** The task's visible tests, or else those of the product. */
  readonly tests: Check | undefined;
}

/**
 * Tries a product out in the sandbox as agents try their own work out.
 *
 * @throws TroupeError `sandbox_failed`, or the signal's reason.
 */
export async function checkProduct(files: readonly FileEntry[], { task, sandbox, signal }: CheckProductOptions): Promise<ProductCheck> {
  const bench = { context: { task, signal, report: () => undefined }, sandbox };
  const program = await runProgram(bench, files);
  const tests = program?.ok === false ? undefined : await runTests(bench, files);
  return { program, tests };
}

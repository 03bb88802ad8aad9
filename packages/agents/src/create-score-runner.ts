import { type ActivationContext, type ActivationRunner, type Artifact, type Sandbox, TroupeError } from "@troupe/schema";
import { runProgram, runTests } from "./checks/check-tree.ts";

/** What scoring needs besides the activation itself. */
export interface ScoreRunnerOptions {
  /** Where model-written code runs. */
  readonly sandbox: Sandbox;
}

/**
 * Makes the runner for activations of kind `score`: of its candidates it gives the one that does best when it is tried out, the first of several
 * that do equally well. No model is asked. A program scores 0 when it does not start, 1 when it does, and up to 2 by the share of the
 * task's visible tests that pass (or of its own, when the task shows none); anything that can't be run scores below any program.
 *
 * @throws TroupeError through the runner: `sandbox_failed`.
 */
export function createScoreRunner({ sandbox }: ScoreRunnerOptions): ActivationRunner {
  return async (context) => {
    const candidates = context.inputs.filter(({ name }) => name === "candidate").map(({ artifact }) => artifact);
    let best: { readonly artifact: Artifact; readonly score: number } | undefined;
    for (const artifact of candidates) {
      context.signal.throwIfAborted();
      const score = await scoreOf(artifact, context, sandbox);
      if (best === undefined || score > best.score) best = { artifact, score };
    }
    if (best === undefined)
      throw new TroupeError("internal", `Activation ${context.activation.id} has nothing to score: no input is named candidate.`);
    return best.artifact;
  };
}

async function scoreOf(artifact: Artifact, context: ActivationContext, sandbox: Sandbox): Promise<number> {
  if (artifact.kind !== "files") return -1;
  const bench = { context, sandbox };
  const program = await runProgram(bench, artifact.files);
  if (program?.ok === false) return program.score;
  const tests = await runTests(bench, artifact.files);
  return tests?.score ?? program?.score ?? 0;
}

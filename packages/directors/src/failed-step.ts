import type { ArtifactRef, RunView, Settled, Step } from "@troupe/schema";

/** Ends a run because an activation that everything after it needs did not give an artifact. */
export function failedStep(done: Settled, view: RunView, best: ArtifactRef | undefined): Step {
  const { agent, label } = view.activation(done.activation);
  const error = done.error ?? { code: "cancelled", message: "it was cancelled", retryable: false };
  const message = `${agent ?? "An activation"} (${label}) gave no artifact: ${error.message}`;
  return { finish: { kind: "failed", error: { ...error, message }, ...(best === undefined ? {} : { artifact: best }) } };
}

import type { Activation, ArtifactKind, ArtifactRef, ErrorCode, Settled } from "@troupe/schema";

/**
 * What goes on in place of an output when an agent's answer could not be used, or when it has used up what one activation may: the
 * artifact it was given, of several the first (as MacNet's aggregation falls back). A run of many agents must not end because one of them babbled; any other error is nobody's
 * to paper over.
 *
 * @param wanted the kind it must have; absent: any.
 * @returns undefined when the error is another one, or when nothing of this kind was given.
 */
export function passedOn(done: Settled, activation: Activation, wanted?: ArtifactKind): ArtifactRef | undefined {
  if (!isAgents(done)) return undefined;
  const given = activation.inputs.find((input) => input.name === "artifact" || input.name === "item" || input.name === "candidate");
  if (given === undefined || !("ref" in given)) return undefined;
  return wanted === undefined || given.ref.kind === wanted ? given.ref : undefined;
}

/** Whether it failed by an error that is the agent's own, not the world's. */
export function isAgents({ error }: Settled): boolean {
  return error?.code === ("answer_unusable" satisfies ErrorCode) || error?.code === ("activation_exhausted" satisfies ErrorCode);
}

import type { ActivationInput, ArtifactKind, RunView } from "@troupe/schema";

/**
 * The earlier product that the run changes, as an input: until something of its kind has been made of it.
 * Whoever gets only a plan for a change needs the product as well.
 *
 * @param made kind of the artifact that is given beside it; absent: there is none yet.
 */
export function previousFor({ from }: RunView, made?: ArtifactKind): ActivationInput[] {
  return from === undefined || made === from.kind ? [] : [{ name: "previous", ref: from }];
}

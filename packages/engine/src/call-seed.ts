import { createRandom } from "@troupe/schema";

/** The seed of a call that brings none. Keyed by the attempt as well: a retry that asks the same in the same way would fail in the same way. */
export function callSeed(runSeed: number, of: { readonly activation: number; readonly attempt: number; readonly call: number }): number {
  return createRandom(runSeed, `chat/${of.activation}/${of.attempt}/${of.call}`).integer(2 ** 31);
}

import { barePromises } from "../support/bare-promises.mjs";

export function build(parents, work) {
  return { run: () => barePromises(parents, work) };
}

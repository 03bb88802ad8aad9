import type { Ports } from "@troupe/runtime";
import { formatProblem } from "@troupe/schema";
import { loadTopology } from "@troupe/topology";
import type { TroupeContext } from "../context.ts";
import { shownPath } from "./shown-path.ts";

/**
 * Reads topologies before anything is spent, and says on stderr what in each is allowed but probably not meant.
 *
 * @throws TroupeError what is wrong with the first of them that can't run.
 */
export async function tellWarnings(topologies: Iterable<string>, { modelNames: models }: Ports, context: TroupeContext): Promise<void> {
  for (const topology of topologies) {
    const { warnings } = await loadTopology(shownPath(topology, context), { signal: context.signal, models });
    for (const warning of warnings) context.process.stderr.write(`${formatProblem(warning)}\n`);
  }
}

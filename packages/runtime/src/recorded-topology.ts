import { type ArtifactRef, type RunStore, type TopologyBundle, topologyBundle, TroupeError } from "@troupe/schema";
import { z } from "zod";

/** Keeps a topology as logs name it. */
export function keepTopology(bundle: TopologyBundle, store: Pick<RunStore, "put">): ArtifactRef {
  return store.put({ kind: "json", value: z.json().parse(JSON.parse(JSON.stringify(bundle))) });
}

/**
 * A topology that a log names.
 *
 * @throws TroupeError `store_damaged`.
 */
export function recordedTopology(run: string, ref: ArtifactRef, store: Pick<RunStore, "get">): TopologyBundle {
  const stored = store.get(ref);
  const { data, error } = topologyBundle.safeParse(stored.kind === "json" ? stored.value : undefined);
  if (data !== undefined) return data;
  throw new TroupeError("store_damaged", `The topology of run ${run} is not what it should be. Start the run anew.`, { cause: error });
}

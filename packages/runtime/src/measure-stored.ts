import { type Artifact, topologyBundle, TroupeError } from "@troupe/schema";
import { bundleTopology, measureTopology, type TopologyMetrics } from "@troupe/topology";

/**
 * Measures the topology that a run's log keeps.
 *
 * @param stored the artifact that `run.started` names as its bundle.
 * @throws TroupeError `store_damaged` when it is no topology, `file_invalid` when this version can't compile it.
 */
export function measureStored(stored: Artifact): TopologyMetrics {
  const { data } = topologyBundle.safeParse(stored.kind === "json" ? stored.value : undefined);
  if (data === undefined) throw new TroupeError("store_damaged", "The log's topology is none that this version knows.");
  return measureTopology(bundleTopology(data).graph);
}

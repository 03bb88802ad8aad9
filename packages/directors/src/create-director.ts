import type { Director } from "@troupe/schema";
import type { CompiledTopology } from "@troupe/topology";
import { FixedDirector } from "./fixed-director.ts";
import { GraphDirector } from "./graph-director.ts";

/** The director that a topology names. */
export function createDirector(topology: CompiledTopology): Director {
  switch (topology.director) {
    case "graph":
      return new GraphDirector(topology);
    case "fixed":
      return new FixedDirector(topology);
  }
}

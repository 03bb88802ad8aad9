import { z } from "zod";
import { agentCard } from "./agent-card.ts";
import { agentPath, edgeList, nodeEntry, shape, temperature } from "./graph-parts.ts";
import { limits } from "./limits.ts";
import { profileChoice, profilePool } from "./profile-pool.ts";

/** What holds where nothing else is said. */
export const topologyDefaults = z
  .strictObject({
    actor: agentPath.optional().describe("Role card of nodes that name none"),
    critic: agentPath.optional().describe("Role card of edges that name none; absent or `none`: no critics"),
    aggregator: agentPath.optional().describe("Role card that merges where several artifacts meet"),
    model: z.string().min(1).optional().describe("Overrides every card's model"),
    rounds: z
      .number()
      .int()
      .min(0)
      .max(100)
      .default(1)
      .describe("Most rounds between critic and source actor; the critic can end them earlier"),
    targetRounds: z
      .number()
      .int()
      .min(0)
      .max(100)
      .default(0)
      .describe("Most rounds between critic and target actor after its step; 0: the step is not judged"),
    memory: z
      .enum(["artifact", "history"])
      .default("artifact")
      .describe("What crosses an edge: the artifact alone (MacNet), or also what every node before it made, for comparisons"),
    groupSize: z.number().int().min(2).max(1000).default(4).describe("How many artifacts one aggregation merges"),
    groupTokens: z
      .number()
      .int()
      .positive()
      .optional()
      .describe("Tokens that the artifacts of one aggregation may have together (estimated; two always go together); default: any"),
    temperature: z
      .union([
        temperature,
        z.strictObject({ from: temperature.describe("At the sources"), to: temperature.describe("At the deepest node") }),
      ])
      .default(0.2)
      .describe("Fixed, or falling linearly with depth (MacNet)"),
    profiles: profileChoice.optional(),
  })
  .describe("What holds where nothing else is said");

/** `topologies/*.yaml`. */
export const topologyFile = z
  .strictObject({
    troupe: z.literal(1).describe("Version of this format"),
    name: z
      .string()
      .regex(/^[a-z0-9][a-z0-9-]{0,63}$/)
      .describe("Name: lower-case letters, digits and hyphens"),
    description: z.string().optional().describe("One line for people"),
    director: z.enum(["graph", "fixed"]).default("graph").describe("Who decides which agents act: a graph, or a fixed list"),
    shape: shape.optional().describe("A generated graph (director: graph)"),
    nodes: z.array(nodeEntry).optional().describe("Nodes (director: graph)"),
    edges: edgeList.optional().describe("Edges: `a -> b -> c`, `a -> [b, c]`, `1-4 -> 5`, or mappings (director: graph)"),
    agents: z.array(agentPath).min(1).optional().describe("Role cards that act one after another (director: fixed)"),
    defaults: topologyDefaults.prefault({}),
    limits: limits.optional(),
  })
  .describe("A topology");

/** A topology file together with every card it names: all that a run needs, kept in its log. */
export const topologyBundle = z
  .strictObject({
    file: topologyFile,
    cards: z.record(z.string(), agentCard).describe("Role cards by the path that the topology wrote"),
    graphs: z
      .record(
        z.string(),
        z.lazy(() => topologyFile),
      )
      .optional()
      .describe("Topologies that nodes name, by the path that is written there"),
    profiles: z.record(z.string(), profilePool).optional().describe("Profile pools by the path that the topology wrote"),
  })
  .describe("A topology with its role cards");

export type TopologyFile = z.infer<typeof topologyFile>;
export type TopologyDefaults = z.infer<typeof topologyDefaults>;
export type TopologyBundle = z.infer<typeof topologyBundle>;

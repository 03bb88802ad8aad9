import { z } from "zod";
import { agentCard } from "./agent-card.ts";
import { limits } from "./limits.ts";
import { profileChoice, profilePool } from "./profile-pool.ts";

/** The most nodes a topology may have. */
export const maxNodes = 100_000;

const agentPath = z
  .string()
  .min(1)
  .describe("Path of a role card, relative to the project folder (the nearest folder upwards that holds it)");
const temperature = z.number().min(0).max(2);
const size = z.number().int().min(1).max(maxNodes).describe("Number of nodes");
const reverse = z.boolean().default(false).describe("Turn every edge round");
const nodeId = z.union([z.string().regex(/^[A-Za-z0-9][A-Za-z0-9_.]*$/), z.number().int().nonnegative()]).transform(String);

/** The six shapes of MacNet (arXiv 2406.07155, section 3.1). Nodes are named `1` to `size`. */
export const shape = z
  .discriminatedUnion("kind", [
    z.strictObject({ kind: z.literal("chain"), size, reverse }),
    z.strictObject({ kind: z.literal("star"), size, reverse }),
    z.strictObject({
      kind: z.literal("tree"),
      size,
      reverse,
      branching: z.number().int().min(1).max(1000).default(2).describe("Children of a node"),
    }),
    z.strictObject({ kind: z.literal("mesh"), size: size.max(5000), reverse }),
    z.strictObject({
      kind: z.literal("layer"),
      size,
      reverse,
      layers: z.number().int().min(1).optional().describe("Number of layers; default floor(log2 size)"),
    }),
    z.strictObject({
      kind: z.literal("random"),
      size: size.max(5000),
      reverse,
      seed: z.number().int().nonnegative().default(0).describe("Seed of the choice of edges"),
      density: z
        .number()
        .min(0)
        .max(1)
        .default(0.5)
        .describe("Share of the edges beyond a spanning tree that are kept: 0 is a tree, 1 the mesh"),
    }),
  ])
  .describe("A generated graph");

const nodeEntry = z
  .strictObject({
    id: nodeId.describe("Name of the node"),
    agent: agentPath.optional().describe("Role card of its actor; default `defaults.actor`"),
    model: z.string().min(1).optional().describe("Overrides the card's model"),
    temperature: temperature.optional().describe("Overrides the schedule; a temperature of the card wins over both"),
  })
  .describe("A node; with a shape it changes the generated node of that name");

const edgeEntry = z
  .strictObject({
    from: nodeId.describe("Where the edge starts"),
    to: nodeId.describe("Where the edge ends"),
    critic: agentPath.optional().describe("Role card of its critic, or `none`; default `defaults.critic`"),
    model: z.string().min(1).optional().describe("Overrides the critic's model"),
    rounds: z.number().int().min(0).max(100).optional().describe("Most rounds between critic and source actor; default `defaults.rounds`"),
  })
  .describe("An edge; with a shape it changes the generated edge between the two");

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
    groupSize: z.number().int().min(2).max(1000).default(4).describe("How many artifacts one aggregation merges"),
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
    edges: z
      .array(z.union([z.string(), edgeEntry]))
      .optional()
      .describe("Edges: `a -> b -> c`, `a -> [b, c]`, `1-4 -> 5`, or mappings (director: graph)"),
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
    profiles: z.record(z.string(), profilePool).optional().describe("Profile pools by the path that the topology wrote"),
  })
  .describe("A topology with its role cards");

export type Shape = z.infer<typeof shape>;
export type TopologyFile = z.infer<typeof topologyFile>;
export type TopologyDefaults = z.infer<typeof topologyDefaults>;
export type TopologyBundle = z.infer<typeof topologyBundle>;

import { z } from "zod";

/** The most nodes a topology may have. */
export const maxNodes = 100_000;
/** The most rounds of a loop, and the most items of a map or reduce edge unless it says another number. */
const maxLoops = 100;

/** Path of a role card. */
export const agentPath = z
  .string()
  .min(1)
  .describe("Path of a role card, relative to the project folder (the nearest folder upwards that holds it)");
/** A sampling temperature. */
export const temperature = z.number().min(0).max(2);
const size = z.number().int().min(1).max(maxNodes).describe("Number of nodes");
const reverse = z.boolean().default(false).describe("Turn every edge round");
const nodeId = z.union([z.string().regex(/^[A-Za-z0-9][A-Za-z0-9_.]*$/), z.number().int().nonnegative()]).transform(String);
const condition = z.string().min(1).max(2000);

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

const atLeast = z.number().int().min(1).max(maxNodes);

/** What a person is asked at a `human` node. */
const humanWork = z
  .strictObject({
    ask: z.string().min(1).max(10_000).describe("The question; what has arrived at the node is shown beside it"),
    options: z.array(z.string().min(1)).min(2).max(50).optional().describe("Answers to choose from; absent: free text"),
    seconds: z.number().positive().optional().describe("How long to wait for an answer; absent: for ever"),
    otherwise: z.string().optional().describe("The answer when nobody answers in time; absent: the run fails, and can be resumed"),
  })
  .describe("A person answers here");

/** How the answers that meet at a `vote` node are counted. */
const voteWork = z
  .strictObject({
    need: z
      .union([z.enum(["all", "any"]), atLeast])
      .default("all")
      .describe(
        "`all`: wait for every vote, the most frequent answer wins; a number: the first answer with so many votes wins at once, else the most frequent; `any`: the first valid answer wins",
      ),
    compare: z
      .enum(["answer", "exact"])
      .default("answer")
      .describe("`answer`: what follows the last `answer:`, numbers as numbers, case and spaces aside; `exact`: to the letter"),
  })
  .describe("The most frequent answer goes on; of equally frequent ones the one whose first voter stands first in `nodes`");

const splitBy = z.enum(["items", "lines", "files"]);
const split = {
  by: splitBy.default("items").describe("What becomes an item: elements of a JSON list, lines of a text, or files of a tree"),
  most: z.number().int().min(1).max(10_000).default(maxLoops).describe("More items than this end the run as failed"),
};

const nodeFields = {
  id: nodeId.describe("Name of the node"),
  agent: agentPath.optional().describe("Role card of its actor; default `defaults.actor`"),
  model: z.string().min(1).optional().describe("Overrides the card's model"),
  temperature: temperature.optional().describe("Overrides the schedule; a temperature of the card wins over both"),
  join: z
    .union([z.enum(["all", "any"]), atLeast])
    .optional()
    .describe("How many artifacts the node waits for: `all` (default), `any` (the first) or a number; work on the others is cancelled"),
  human: humanWork.optional(),
  literal: z.json().optional().describe("The node gives this: a text, or any other JSON value"),
  pass: z.literal(true).optional().describe("What arrives goes on, several artifacts merged; nobody works here"),
  vote: voteWork.optional(),
  best: z.literal(true).optional().describe("Of what arrives the artifact that passes most of the task's visible tests goes on"),
};
const until = condition
  .optional()
  .describe("The loop ends after the round for which this condition (CEL) holds, over `artifact`, `round`, `tokens` and `calls`");
const times = z.number().int().min(1).max(maxLoops).describe("Most rounds");
const graphFile = z.string().min(1).describe("Path of a topology file, relative to the project folder");

const innerNode = z.strictObject({
  ...nodeFields,
  graph: graphFile.optional().describe("A topology file whose graph works here"),
  loop: z.strictObject({ graph: graphFile, times, until }).optional().describe("A graph that works again and again on what it has made"),
});

const edgeEntry = z
  .strictObject({
    from: nodeId.describe("Where the edge starts"),
    to: nodeId.describe("Where the edge ends"),
    critic: agentPath.optional().describe("Role card of its critic, or `none`; default `defaults.critic`"),
    model: z.string().min(1).optional().describe("Overrides the critic's model"),
    rounds: z.number().int().min(0).max(100).optional().describe("Most rounds between critic and source actor; default `defaults.rounds`"),
    targetRounds: z
      .number()
      .int()
      .min(0)
      .max(100)
      .optional()
      .describe("Most rounds between critic and target actor after its step; default `defaults.targetRounds`"),
    when: condition
      .optional()
      .describe("The artifact goes this way only if the condition (CEL) holds, over `artifact`, `round`, `tokens` and `calls`"),
    carry: z.boolean().optional().describe("`false`: the target waits for the source, but is not given its artifact"),
    trigger: z
      .boolean()
      .optional()
      .describe("`false`: the target is given the artifact beside its own work, but does not act because of it"),
    map: z
      .strictObject(split)
      .optional()
      .describe("The target works on each item of the artifact by itself, all at once; their results are one list"),
    reduce: z
      .strictObject({
        ...split,
        group: z.number().int().min(2).max(1000).optional().describe("Items that one aggregation merges; default `defaults.groupSize`"),
      })
      .optional()
      .describe("The target, an aggregator, merges the items of the artifact in groups until one is left"),
  })
  .describe("An edge; with a shape it changes the generated edge between the two");

/** Edges in any of their forms. */
export const edgeList = z.array(z.union([z.string(), edgeEntry]));

/** A graph written inside another; its agents are those of the topology around it. */
const inlineGraph = z
  .strictObject({
    shape: shape.optional().describe("A generated graph"),
    nodes: z.array(innerNode).optional().describe("Nodes; graphs inside them are files"),
    edges: edgeList.optional().describe("Edges"),
  })
  .describe("A graph written in place; `defaults` are those around it");

const graphUse = z.union([graphFile, inlineGraph]);

/** A node of a graph: an agent, or one of the keys that say what else works there. */
export const nodeEntry = z
  .strictObject({
    ...nodeFields,
    graph: graphUse.optional().describe("A graph that works here as one node: a topology file, or written in place"),
    loop: z
      .strictObject({ graph: graphUse.describe("What works in each round: a topology file, or written in place"), times, until })
      .optional()
      .describe("A graph that works again and again on what it has made"),
  })
  .describe("A node; with a shape it changes the generated node of that name");

export type Shape = z.infer<typeof shape>;
export type NodeEntry = z.infer<typeof nodeEntry>;
export type EdgeEntry = z.infer<typeof edgeEntry>;
export type InlineGraph = z.infer<typeof inlineGraph>;
export type SplitBy = z.infer<typeof splitBy>;
export type VoteWork = z.infer<typeof voteWork>;
export type HumanWork = z.infer<typeof humanWork>;

import { z } from "zod";
import { checkExperiment } from "./check-experiment.ts";
import { limits } from "./limits.ts";
import { shape } from "./graph-parts.ts";
import { topologyDefaults } from "./topology-file.ts";
import { variation } from "./variation.ts";

const seed = z
  .number()
  .int()
  .min(0)
  .max(2 ** 32 - 1);
const { rounds, targetRounds, groupSize, temperature, memory, ...namedDefaults } = topologyDefaults.shape;

/** What a system changes of its topology; the keys and their meaning are the topology's own. */
export const topologyOverrides = z
  .strictObject({
    shape: shape.optional().describe("Takes the place of the topology's shape"),
    agents: z.array(z.string().min(1)).min(1).optional().describe("Takes the place of the topology's agents (director: fixed)"),
    defaults: z
      .strictObject({
        ...namedDefaults,
        rounds: rounds.unwrap().optional().describe("Most rounds between critic and source actor"),
        targetRounds: targetRounds.unwrap().optional().describe("Most rounds between critic and target actor after its step"),
        memory: memory.unwrap().optional().describe("What crosses an edge: `artifact` or `history`"),
        groupSize: groupSize.unwrap().optional().describe("How many artifacts one aggregation merges"),
        temperature: temperature.unwrap().optional().describe("Fixed, or falling linearly with depth"),
      })
      .optional()
      .describe("Each field takes the place of the one in the topology's defaults"),
  })
  .describe("What a system changes of its topology");

/** One of the systems that an experiment compares. */
export const experimentSystem = z
  .strictObject({
    name: z
      .string()
      .regex(/^[a-z0-9][a-z0-9-]{0,63}$/)
      .optional()
      .describe("Name in results and tables; default: the topology's path. Needed with `limits`, `overrides` or `vary`"),
    topology: z
      .string()
      .min(1)
      .describe("Path of a topology, relative to the project folder (the nearest folder upwards from the experiment that holds it)"),
    limits: limits.optional().describe("What one run may use; wins over the topology's and the project's limits"),
    overrides: topologyOverrides.optional(),
    vary: variation.optional(),
  })
  .describe("A system that is compared, or with `vary` several");

/** Parts of a task set, by shares or by ids, and which one is used. */
export const experimentSplit = z
  .strictObject({
    parts: z
      .record(
        z.string().regex(/^[a-z0-9][a-z0-9-]{0,63}$/),
        z.union([z.number().min(0).max(1), z.array(z.string().min(1)).min(1)]).describe("A share of the set, or ids of tasks"),
      )
      .describe("Parts by name, such as dev and test: all shares of the set (together at most 1), or all lists of ids"),
    seed: seed.default(0).describe("Seed by which shares are drawn"),
    use: z.string().describe("The part that is run"),
  })
  .describe("A part of the task set");

const experimentTasks = z
  .strictObject({
    set: z.string().min(1).describe("A built-in task set, or the path of one, relative to the project folder as topologies are"),
    tags: z.array(z.string().min(1)).default([]).describe("Only tasks that carry every one of these tags"),
    limit: z.number().int().min(1).optional().describe("Only so many tasks, from the first of those that are left"),
    split: experimentSplit.optional().describe("Only one part of the set; it is drawn from the whole set, before `tags` and `limit`"),
  })
  .describe("What is asked of every system");

const experimentStatistics = z
  .strictObject({
    pairs: z
      .union([z.enum(["first", "all"]), z.array(z.array(z.string()).length(2)).min(1)])
      .default("first")
      .describe(
        "What is compared: the first system with each other, all with all, or a list such as `[[single, chain]]`; `*` stands for any letters",
      ),
    alpha: z.number().min(0.0001).max(0.5).default(0.05).describe("Level of the tests; intervals hold 1 − alpha"),
    resamples: z.number().int().min(200).max(100_000).default(10_000).describe("Bootstrap samples"),
    seed: seed.default(1).describe("Seed of the bootstrap"),
    tokenTolerance: z
      .number()
      .min(0)
      .max(1)
      .default(0.1)
      .describe("Two systems are at equal tokens when the smaller mean lies at most this share below the larger one"),
  })
  .describe("How systems are compared");

const experimentMetric = z.enum([
  "passed",
  "tokens",
  "seconds",
  "calls",
  "completeness",
  "executability",
  "consistency",
  "quality",
  "qualityMultiplied",
]);

/** `experiments/*.yaml`. */
export const experimentFile = z
  .strictObject({
    experiment: z.literal(1).describe("Version of this format"),
    name: z
      .string()
      .regex(/^[a-z0-9][a-z0-9-]{0,63}$/)
      .describe("Lower-case name"),
    description: z.string().optional().describe("What is asked, for people; stands above the table"),
    tasks: experimentTasks,
    systems: z.array(experimentSystem).min(1).describe("What is compared"),
    seeds: z
      .union([
        z.array(seed).min(1),
        z.strictObject({
          from: seed.describe("The first seed"),
          count: z.number().int().min(1).max(100_000).describe("How many, one after another"),
        }),
      ])
      .default([0])
      .describe("Every system does every task once with each seed"),
    jobs: z.number().int().min(1).max(1000).default(1).describe("Runs at once"),
    budget: z
      .strictObject({
        tokens: z.number().int().positive().optional().describe("Prompt and generated tokens of all runs together"),
        generatedTokens: z.number().int().positive().optional().describe("Generated tokens of all runs together"),
        seconds: z.number().positive().optional().describe("Seconds of all runs together; runs at once count each"),
      })
      .optional()
      .describe("When it is used up no further run starts; raise it to go on"),
    metrics: z
      .array(experimentMetric)
      .min(1)
      .default(["passed", "tokens", "seconds", "calls"])
      .describe("What is reported; the metrics of software (see docs/metrics.md) are measured when one of them is named"),
    scaling: z
      .strictObject({
        measure: experimentMetric.optional().describe("What a curve shows at each size, one of `metrics`; default: the first of them"),
      })
      .optional()
      .describe("The curves of systems that vary `shape.size`"),
    statistics: experimentStatistics.prefault({}),
  })
  .superRefine(checkExperiment)
  .describe("An experiment");

export type TopologyOverrides = z.infer<typeof topologyOverrides>;
export type ExperimentSystem = z.infer<typeof experimentSystem>;
export type ExperimentSplit = z.infer<typeof experimentSplit>;
export type ExperimentFile = z.infer<typeof experimentFile>;

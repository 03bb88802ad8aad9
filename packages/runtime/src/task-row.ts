import { usage } from "@troupe/schema";
import { softwareMetrics } from "@troupe/tasks";
import { z } from "zod";

/** What came of one task done once by one topology: one line of a results file. */
export const taskRow = z
  .object({
    topology: z.string().describe("The topology, as it was named"),
    task: z.string().describe("Id of the task"),
    seed: z.number().int().nonnegative().describe("Seed of the run"),
    setup: z.string().optional().describe("Digest of what an experiment changed of the topology; absent when it was run as it is"),
    passed: z.boolean().optional().describe("Whether the product passed its hidden tests; absent when the task has no grader"),
    share: z.number().min(0).max(1).optional().describe("Of a task that asks for words: how much of them the product uses"),
    reason: z.string().describe("One line for people"),
    outcome: z.enum(["completed", "failed", "cancelled", "exhausted", "deadlocked"]).describe("How the run ended"),
    run: z.string().describe("Name of the run, for `troupe show`"),
    usage,
    bytes: z
      .number()
      .int()
      .nonnegative()
      .optional()
      .describe("Bytes of the product, files given with the task left out; absent without one"),
    software: softwareMetrics.optional().describe("Metrics of the product; absent when nobody asked for them"),
    seconds: z.number().nonnegative().describe("Wall-clock seconds of the run"),
  })
  .describe("One line of a results file");
export type TaskRow = Readonly<z.infer<typeof taskRow>>;

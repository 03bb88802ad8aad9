import { z } from "zod";
import { artifactRef } from "./artifact.ts";
import { usage } from "./usage.ts";

/** What went wrong, as the log keeps it. */
export const failure = z
  .strictObject({
    code: z.string().describe("A code of the error table"),
    message: z.string().describe("What, where, what to do"),
    retryable: z.boolean().default(false).describe("Whether the same work may succeed later"),
  })
  .describe("What went wrong");
export type Failure = z.infer<typeof failure>;

const product = artifactRef.optional().describe("The best artifact so far, if there is one");

/** How a session of a run ended. */
export const outcome = z
  .discriminatedUnion("kind", [
    z.strictObject({ kind: z.literal("completed"), artifact: artifactRef.describe("The product") }),
    z.strictObject({ kind: z.literal("failed"), error: failure, artifact: product }),
    z.strictObject({ kind: z.literal("cancelled"), reason: z.string().describe("Who or what interrupted"), artifact: product }),
    z.strictObject({
      kind: z.literal("exhausted"),
      limit: z.enum(["tokens", "seconds", "usd", "calls"]).describe("The limit that was reached"),
      of: z.string().optional().describe("Whose limit it was, such as `agent reviewer` or `model small`; absent: the run's"),
      allowed: z.number().describe("What the limit allows"),
      used: z.number().describe("What was used"),
      artifact: product,
    }),
    z.strictObject({ kind: z.literal("deadlocked"), waiting: z.array(z.string()).describe("Who waits for what"), artifact: product }),
  ])
  .describe("How a session of a run ended");
export type Outcome = z.infer<typeof outcome>;

/** What `run.result` resolves to. */
export const runResult = z
  .strictObject({
    run: z.string().describe("The run's name"),
    outcome,
    artifact: artifactRef.optional().describe("The product, or the best artifact so far"),
    usage,
    seconds: z.number().describe("Wall-clock seconds of this session"),
  })
  .describe("The result of a run");
export type RunResult = z.infer<typeof runResult>;

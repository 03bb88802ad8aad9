import { z } from "zod";

/** What a run may use before it ends as `exhausted`; an absent limit does not limit. */
export const limits = z
  .strictObject({
    tokens: z.number().int().positive().optional().describe("Prompt and generated tokens of the whole run"),
    seconds: z.number().positive().optional().describe("Wall-clock seconds of the whole run, over all its sessions"),
    usd: z.number().positive().optional().describe("US dollars of the whole run"),
    calls: z.number().int().positive().optional().describe("Model calls of the whole run"),
    parallel: z.number().int().positive().max(10000).optional().describe("Activations that run at once; default 4"),
    activationSeconds: z.number().positive().optional().describe("Seconds one attempt of an activation may take; default 600"),
    attempts: z.number().int().min(1).max(20).optional().describe("Attempts of an activation whose error may pass; default 3"),
  })
  .describe("What a run may use before it ends as `exhausted`");
export type Limits = z.infer<typeof limits>;

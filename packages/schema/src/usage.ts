import { z } from "zod";

/** What model calls cost. */
export const usage = z
  .strictObject({
    calls: z.number().int().nonnegative().describe("Model calls"),
    inputTokens: z.number().int().nonnegative().describe("Prompt tokens"),
    outputTokens: z.number().int().nonnegative().describe("Generated tokens, reasoning included"),
    usd: z.number().nonnegative().describe("Money in US dollars, by the prices in troupe.yaml"),
    seconds: z.number().nonnegative().describe("Time spent in model calls, summed over calls"),
    estimated: z.boolean().describe("Whether any part was estimated because a server left it out"),
  })
  .describe("What model calls cost");
export type Usage = z.infer<typeof usage>;

/** The usage of nothing. */
export const noUsage: Usage = Object.freeze({ calls: 0, inputTokens: 0, outputTokens: 0, usd: 0, seconds: 0, estimated: false });

/** The sum of two usages. */
export function addUsage(a: Usage, b: Usage): Usage {
  return {
    calls: a.calls + b.calls,
    inputTokens: a.inputTokens + b.inputTokens,
    outputTokens: a.outputTokens + b.outputTokens,
    usd: a.usd + b.usd,
    seconds: a.seconds + b.seconds,
    estimated: a.estimated || b.estimated,
  };
}

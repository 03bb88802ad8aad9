import { z } from "zod";

/** Tokens, money and calls that somebody may use; `whose` completes the descriptions. */
function spending(whose: string) {
  return {
    tokens: z.number().int().positive().optional().describe(`Prompt and generated tokens of ${whose}`),
    usd: z.number().positive().optional().describe(`US dollars of ${whose}`),
    calls: z.number().int().positive().optional().describe(`Model calls of ${whose}`),
  };
}

function shared(whose: string, parallel: string) {
  return z.strictObject({
    ...spending(whose),
    parallel: z.number().int().positive().max(10_000).optional().describe(parallel),
  });
}

/** What a run may use before it ends as `exhausted`; an absent limit does not limit. */
export const limits = z
  .strictObject({
    ...spending("the whole run"),
    seconds: z
      .number()
      .positive()
      .optional()
      .describe("Seconds of the whole run, over all its sessions; while it only waits for people its time stands still"),
    parallel: z.number().int().positive().max(10000).optional().describe("Activations that run at once; default 4"),
    activationSeconds: z.number().positive().optional().describe("Seconds one attempt of an activation may take; default 600"),
    attempts: z.number().int().min(1).max(20).optional().describe("Attempts of an activation whose error may pass; default 3"),
    activation: z
      .strictObject(spending("one activation, over all its attempts"))
      .optional()
      .describe("What one activation may use; more fails it, not the run"),
    agents: z
      .record(z.string().min(1), shared("this agent", "Activations of this agent that run at once"))
      .optional()
      .describe("What all activations of an agent may use together, by the name on its card; a limit that is reached ends the run"),
    models: z
      .record(
        z.string().min(1),
        shared("this model", "Activations on this model that run at once; `parallel` in troupe.yaml is for all runs"),
      )
      .optional()
      .describe("What all calls of a model may use together, by its name in troupe.yaml; a limit that is reached ends the run"),
  })
  .describe("What a run may use before it ends as `exhausted`");
export type Limits = z.infer<typeof limits>;

/** Limits on tokens, money and calls alone. */
export type SpendingLimits = NonNullable<Limits["activation"]>;

/** Limits of which the later ones win, each amount for itself: who gives an agent more tokens keeps all else as it was. */
export function mergeLimits(...all: readonly (Limits | undefined)[]): Limits {
  return all.reduce<Limits>((base, more) => (more === undefined ? base : mergeTwo(base, more)), {});
}

function mergeTwo(base: Limits, more: Limits): Limits {
  const merged: Limits = { ...base, ...more };
  if (base.activation !== undefined && more.activation !== undefined) merged.activation = { ...base.activation, ...more.activation };
  for (const of of ["agents", "models"] as const) {
    const [before, after] = [base[of], more[of]];
    if (before === undefined || after === undefined) continue;
    merged[of] = { ...before, ...Object.fromEntries(Object.entries(after).map(([name, some]) => [name, { ...before[name], ...some }])) };
  }
  return merged;
}

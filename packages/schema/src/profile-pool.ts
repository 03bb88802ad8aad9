import { z } from "zod";

/** Who an agent is, besides what its role card makes it do. */
export const profile = z
  .strictObject({
    name: z
      .string()
      .regex(/^[a-z][a-z0-9-]{0,63}$/)
      .describe("Name, unique in its pool: lower-case letters, digits and hyphens"),
    text: z
      .string()
      .regex(/\S/)
      .max(2000)
      .describe("Who the agent is, in one to three sentences that begin with `You`; it stands in front of the card's instructions"),
  })
  .describe("A profile");

/** `agents/profiles/*.yaml`: a pool that profiles are drawn from. */
export const profilePool = z
  .strictObject({
    pool: z.literal(1).describe("Version of this format"),
    name: z
      .string()
      .regex(/^[a-z][a-z0-9-]{0,63}$/)
      .describe("Name: lower-case letters, digits and hyphens"),
    description: z.string().optional().describe("One line for people"),
    profiles: z.array(profile).min(1).max(10_000).describe("The profiles"),
  })
  .superRefine(({ profiles }, context) => {
    const seen = new Map<string, number>();
    for (const [at, { name }] of profiles.entries()) {
      const before = seen.get(name);
      const message = `is ${JSON.stringify(name)}, as in profiles[${before}]; give it another name`;
      if (before !== undefined) context.addIssue({ code: "custom", path: ["profiles", at, "name"], message });
      seen.set(name, before ?? at);
    }
  })
  .describe("A pool of profiles");

/** Where the agents of a topology get their profiles from. */
export const profileChoice = z
  .strictObject({
    actor: z.string().min(1).optional().describe("Path of the pool for actors, looked up as role cards are; absent: no profiles"),
    critic: z.string().min(1).optional().describe("The same for critics"),
    seed: z
      .number()
      .int()
      .min(0)
      .max(2 ** 32 - 1)
      .default(0)
      .describe("Seed of the draw; no profile is drawn again before the pool is used up"),
  })
  .describe("Profiles for actors, in the order of the nodes, and for critics, in the order of the edges");

export type Profile = z.infer<typeof profile>;
export type ProfilePool = z.infer<typeof profilePool>;
export type ProfileChoice = z.infer<typeof profileChoice>;

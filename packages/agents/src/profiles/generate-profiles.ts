import { type ChatRequest, createRandom, type ModelClient, type Profile, type Usage } from "@troupe/schema";
import { createDistinctProfiles } from "./distinct-profiles.ts";
import { readProfiles } from "./read-profiles.ts";

/** Profiles that one call is asked for; small models repeat themselves in longer lists. */
const batchSize = 5;
/** Calls one after another that bring nothing new before it is given up. */
const mostBarren = 6;
/** Names that a prompt shows, so that the model does not invent the same people again. */
const shownNames = 30;
const tokensPerProfile = 120;

/** What profiles are wanted. */
export interface ProfileWish {
  /** What the people have in common, or what they are for, in words. */
  readonly about: string;
  /** How many, besides those that are there. */
  readonly count: number;
  /** Those that are there already; none of them comes again. */
  readonly known?: readonly Profile[];
  /** Name of the model; default: `default`. */
  readonly model?: string;
  /** Seed of the calls; default 0. Calls also differ by how many profiles there are. */
  readonly seed?: number;
}

/** What one call brought. */
export interface ProfileBatch {
  readonly profiles: readonly Profile[];
  /** How many more it named that were there before, or nearly. */
  readonly repeated: number;
  readonly usage: Usage;
}

/**
 * Asks a model for profiles, a few a call. It ends when there are as many as wanted, or when several calls in a row brought nothing new.
 *
 * @throws TroupeError what the model client throws, and what the signal was aborted with.
 * @example
 * for await (const { profiles } of generateProfiles({ about: "people who review shell scripts", count: 20 }, { models, signal })) …
 */
export async function* generateProfiles(
  { about, count, known = [], model = "default", seed = 0 }: ProfileWish,
  { models, signal }: { readonly models: Pick<ModelClient, "chat">; readonly signal: AbortSignal },
): AsyncGenerator<ProfileBatch> {
  const distinct = createDistinctProfiles(known);
  let barren = 0;
  for (let left = count; left > 0 && barren < mostBarren; ) {
    const wanted = Math.min(batchSize, left);
    const names = createRandom(seed, `shown.${distinct.names.length}.${barren}`).shuffle(distinct.names).slice(0, shownNames);
    const callSeed = createRandom(seed, `profiles.${distinct.names.length}.${barren}`).integer(2 ** 31);
    const { text, usage } = await models.chat({ model, seed: callSeed, ...requestFor({ about, wanted, names }) }, { signal });
    const named = readProfiles(text);
    const profiles = named.flatMap((one) => distinct.add(one) ?? []).slice(0, left);
    left -= profiles.length;
    barren = profiles.length === 0 ? barren + 1 : 0;
    yield { profiles, repeated: named.length - profiles.length, usage };
  }
}

interface Question {
  readonly about: string;
  readonly wanted: number;
  readonly names: readonly string[];
}

function requestFor({ about, wanted, names }: Question): Omit<ChatRequest, "model" | "seed"> {
  const others = names.length === 0 ? "" : `\nThey must be quite different from these people: ${names.join(", ")}.\n`;
  const people = wanted === 1 ? "1 person" : `${wanted} different people`;
  const content = `Invent ${people}: ${about.trim()}
${others}
Write one line for each, in this form and nothing else:
short-name: You are … (who the person is, what they have done, and what they look out for in their work, in one to three short sentences)

Start every description with the word You. No two may think alike.`;
  return {
    messages: [
      { role: "system", content: "You invent people who think and work in very different ways." },
      { role: "user", content },
    ],
    temperature: 1,
    maxTokens: 80 + wanted * tokensPerProfile,
  };
}

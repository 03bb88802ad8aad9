import type { Profile } from "@troupe/schema";

/** Share of their words that two profiles may have in common; above it they are the same person in other words. */
const mostShared = 0.75;

/** Profiles that are all different, as they come one after another. */
export interface DistinctProfiles {
  /** Takes a profile in, under a name of its own; undefined when it is nearly one that is there. */
  add(profile: Profile): Profile | undefined;
  readonly names: readonly string[];
}

/** Starts with the profiles of a pool. */
export function createDistinctProfiles(known: readonly Profile[]): DistinctProfiles {
  const words = known.map(({ text }) => wordsOf(text));
  const names = new Set(known.map(({ name }) => name));
  return {
    get names() {
      return [...names];
    },
    add: ({ name, text }) => {
      const own = wordsOf(text);
      if (own.size === 0 || words.some((other) => sharedOf(own, other) > mostShared)) return undefined;
      const free = freeName(name, names);
      words.push(own);
      names.add(free);
      return { name: free, text };
    },
  };
}

/** The words that say something about a person: not those that every profile has. */
function wordsOf(text: string): Set<string> {
  const words =
    text
      .normalize("NFKD")
      .toLowerCase()
      .match(/\p{L}+/gu) ?? [];
  return new Set(words.filter((word) => word.length > 3 && !["your", "with", "that", "have"].includes(word)));
}

/** Words in both, as a share of the words in either (Jaccard). */
function sharedOf(one: ReadonlySet<string>, other: ReadonlySet<string>): number {
  let both = 0;
  for (const word of one) if (other.has(word)) both++;
  return both / (one.size + other.size - both);
}

function freeName(name: string, taken: ReadonlySet<string>): string {
  for (let number = 1; ; number++) {
    const tried = number === 1 ? name : `${name}-${number}`;
    if (!taken.has(tried)) return tried;
  }
}

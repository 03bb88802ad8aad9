import { inflectionsOf } from "./inflections.ts";

/** Which words a text uses. */
export interface FoundWords {
  readonly found: readonly string[];
  readonly missing: readonly string[];
}

/**
 * Looks for words in a text, each in any usual inflection, whatever its case. A word of several parts (`ice cream`, `t-shirt`) is found
 * where its parts follow each other and the last one is inflected.
 */
export function findWords(text: string, words: readonly string[]): FoundWords {
  const tokens = tokensOf(text);
  const places = new Map<string, number[]>();
  for (const [index, token] of tokens.entries()) {
    const known = places.get(token);
    if (known === undefined) places.set(token, [index]);
    else known.push(index);
  }
  const isUsed = (word: string): boolean => {
    const parts = tokensOf(word);
    const last = parts.pop();
    if (last === undefined) return false;
    return [...inflectionsOf(last)].some((form) =>
      (places.get(form) ?? []).some((end) => parts.every((part, index) => tokens[end - parts.length + index] === part)),
    );
  };
  const used = new Set(words.filter(isUsed));
  return { found: words.filter((word) => used.has(word)), missing: words.filter((word) => !used.has(word)) };
}

/** The words of a text in lower case; what an apostrophe ends (`dog's`) counts without it. */
function tokensOf(text: string): string[] {
  return text.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? [];
}

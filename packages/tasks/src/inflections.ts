import { irregularForms } from "./irregular-forms.ts";

/**
 * The usual inflections of an English word, itself among them: plural and third person (`-s`, `-es`, `-ies`, `-ves`), past and participle
 * (`-ed`, `-ied`), `-ing`, and what {@link irregularForms} lists. A final consonant is doubled where English does, and a final silent `e`
 * is dropped. Comparison (`-er`, `-est`) and derived words (`dancer`, `performance`) are other words.
 *
 * @param word in lower case.
 * @example
 * inflectionsOf("carry"); // carry, carries, carried, carrying
 */
export function inflectionsOf(word: string): Set<string> {
  return new Set([word, ...plurals(word), ...pasts(word), ...participles(word), ...(irregularForms.get(word) ?? [])]);
}

function plurals(word: string): string[] {
  if (/[^aeiou]y$/.test(word)) return [`${word.slice(0, -1)}ies`];
  if (/fe?$/.test(word)) return [`${word}s`, word.replace(/fe?$/, "ves")];
  if (/man$/.test(word)) return [`${word}s`, `${word.slice(0, -3)}men`];
  if (/o$/.test(word)) return [`${word}s`, `${word}es`];
  return [/(s|x|z|ch|sh)$/.test(word) ? `${word}es` : `${word}s`];
}

function pasts(word: string): string[] {
  if (/e$/.test(word)) return [`${word}d`];
  if (/[^aeiou]y$/.test(word)) return [`${word.slice(0, -1)}ied`];
  return doublings(word).map((stem) => `${stem}ed`);
}

function participles(word: string): string[] {
  const dropped = `${word.slice(0, -1)}ing`;
  if (/ie$/.test(word)) return [`${word.slice(0, -2)}ying`];
  if (/(ee|oe|ye)$/.test(word)) return [`${word}ing`];
  if (/nge$/.test(word)) return [`${word}ing`, dropped];
  return /e$/.test(word) ? [dropped] : doublings(word).map((stem) => `${stem}ing`);
}

/** What an ending that begins with a vowel is put to. */
function doublings(word: string): string[] {
  if (!/([^aeiou]|qu|^)[aeiou][^aeiouwxy]$/.test(word)) return [word];
  const doubled = word + word.slice(-1);
  // In longer words the stress decides, which the letters don't show.
  return (word.match(/[aeiouy]+/g) ?? []).length > 1 ? [word, doubled] : [doubled];
}

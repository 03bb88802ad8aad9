import type { Profile } from "@troupe/schema";

/** Characters that the text of a profile may have. */
const [fewest, most] = [20, 600];
const mostSentences = 4;

/** What stands in front of a line of a list, or around its name. */
const listMark = /^[\s>*•–-]*(\d+[.)]\s*)?/;

/**
 * Reads the profiles that a model wrote, one a line as `name: You are …`; lists, bold names, and texts on the line below their name
 * are read as well. What is none, such as a person in the third person or half a sentence at the end, is left out.
 */
export function readProfiles(answer: string): Profile[] {
  const found: Profile[] = [];
  let heading = "";
  for (const line of answer.split("\n")) {
    const plain = line
      .replace(listMark, "")
      .replaceAll(/[*_`"“”]/g, "")
      .trim();
    if (plain === "") continue;
    const [, name = "", text = ""] = /^(?:(.{1,80}?)\s*[:–—|]\s*)?(You\b.*)$/.exec(plain) ?? [];
    const read = toProfile(name === "" ? heading : name, text);
    if (read !== undefined) found.push(read);
    heading = text === "" ? plain.replace(/:$/, "") : "";
  }
  return found;
}

function toProfile(name: string, text: string): Profile | undefined {
  const sentences = text.split(/[.!?](?:\s|$)/).length - 1;
  const isWhole = /[.!?]$/.test(text) && sentences <= mostSentences;
  const given = toName(name);
  return isWhole && given !== "" && text.length >= fewest && text.length <= most ? { name: given, text } : undefined;
}

/** A name in the form that pools have: lower-case letters, digits and hyphens, from a letter on. */
function toName(words: string): string {
  const plain = words.normalize("NFKD").replaceAll(/\p{M}/gu, "").toLowerCase();
  return plain
    .replaceAll(/[^a-z0-9]+/g, "-")
    .replace(/^[^a-z]+/, "")
    .slice(0, 48)
    .replace(/-+$/, "");
}

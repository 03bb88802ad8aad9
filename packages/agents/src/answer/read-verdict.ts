import type { Verdict } from "@troupe/schema";
import type { z } from "zod";
import { readJson } from "./read-json.ts";

/** Longest critique that is passed on, in characters: more than one defect at a time does not help a small model. */
export const maxCritique = 1200;

const acceptWord = /^(accept(ed|able|s)?|approved?|ok(ay)?|pass(ed|es)?|lgtm|yes|true|good|no[ _-]changes?)$/;
const reviseWord =
  /^(revis(e|ed|ion|ions)|reject(ed)?|fail(ed|s)?|no|false|changes?([ _-](needed|required|requested))?|needs?[ _-].+|not[ _-].+|improve.*|fix)$/;
const accepting = /^[\W_]*(verdict\W+)?(accept(ed)?|approved?|lgtm)\b/i;
const revising = /^[\W_]*(verdict\W+)?(revise|revision (is )?(needed|required)|reject(ed)?)\b(?:[^\w"“'`]|_)*/i;
const nothingToDo =
  /\b(no (further |more |other )?(changes?|revisions?|improvements?|corrections?|fixes) (is |are )?(needed|necessary|required)|nothing (needs )?to (be )?(change|fix|correct|revise)|does not need (any )?(changes?|revision)|(looks|is) (already )?(good|fine|correct and complete|complete and correct)(?! (but|except)))/i;
const contrast =
  /\b(however|but|although|except|unless|should(?! work)|must|needs? to|missing|instead of|recommend|suggest|could be (improved|better)|fails? (to|when|with|on)|does(n't| not) (handle|work|check|validate))\b/i;

/**
 * Reads a critic's answer: a JSON object, else a line that says ACCEPT or REVISE, else the words.
 * What both accepts and asks for changes is `revise`. Undefined when there is nothing to read.
 */
export function readVerdict(text: string): Verdict | undefined {
  const trimmed = text.trim();
  if (trimmed === "") return undefined;
  return fromJson(trimmed) ?? fromWords(trimmed);
}

/** Cuts a critique to {@link maxCritique} at the end of a line or sentence where there is one near. */
export function shortenCritique(text: string): string {
  const trimmed = text.trim();
  if (trimmed.length <= maxCritique) return trimmed;
  const head = trimmed.slice(0, maxCritique);
  const end = Math.max(head.lastIndexOf("\n"), head.lastIndexOf(". ") + 1);
  return `${(end > maxCritique / 2 ? head.slice(0, end) : head).trimEnd()} […]`;
}

function fromJson(text: string): Verdict | undefined {
  if (!/^[^{]{0,200}\{/.test(text)) return undefined;
  const value = readJson(text.slice(text.indexOf("{")));
  if (typeof value !== "object" || value === null || Array.isArray(value)) return undefined;
  const field = (pattern: RegExp) => Object.entries(value).find(([key]) => pattern.test(key))?.[1];
  const said = field(/^(verdict|decision|status|result|accept(ed)?|approved?)$/i);
  const word = (typeof said === "boolean" ? String(said) : words(said)).toLowerCase();
  const critique = shortenCritique(
    words(field(/^(critique|feedback|comments?|issues?|defects?|problems?|fix|suggestions?|reason|instructions?)$/i)),
  );
  if (acceptWord.test(word) || (word === "" && isPraise(critique))) return { verdict: "accept", critique };
  return reviseWord.test(word) || critique !== "" ? { verdict: "revise", critique } : undefined;
}

function fromWords(text: string): Verdict {
  const line = /^[\W_]*(?:final )?(?:verdict|decision)[\W_]*(accept|approve|revise|reject)(?:e?d)?\b.*$/im.exec(text);
  const said = line?.[1]?.toLowerCase();
  const critique = shortenCritique(
    (line === null ? text : text.replace(line[0], "")).replace(revising, "").replace(/^[\W_]*critique\W+/i, ""),
  );
  if (said !== undefined) return { verdict: said === "accept" || said === "approve" ? "accept" : "revise", critique };
  if (revising.test(text)) return { verdict: "revise", critique };
  const accepts = (accepting.test(text) && !contrast.test(text)) || isPraise(text);
  return {
    verdict: accepts ? "accept" : "revise",
    critique: accepts ? shortenCritique(text.replace(accepting, "").replace(/^[\W_]+/, "")) : critique,
  };
}

/** Whether a text says that nothing needs to change, and asks for nothing. */
export function isPraise(text: string): boolean {
  return nothingToDo.test(text) && !contrast.test(text);
}

/** The words of a JSON value, one line for each item of a list. */
function words(value: z.core.util.JSONType | undefined): string {
  if (value === undefined || value === null || typeof value === "boolean") return "";
  if (typeof value !== "object") return String(value).trim();
  const inner = Object.values(value)
    .map(words)
    .filter((item) => item !== "");
  return inner.join(Array.isArray(value) ? "\n" : ": ");
}

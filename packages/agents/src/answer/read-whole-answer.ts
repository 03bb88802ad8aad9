import type { Language } from "@troupe/schema";
import { isProse, looksLikeCode, startsCode } from "./code-shape.ts";
import { toLines } from "./fenced-blocks.ts";

/**
 * The code of an answer that has no usable fence, or only the closing one: from the first line that can begin a program
 * to the last that is no prose, when most of it looks like code.
 */
export function readWholeAnswer(text: string, language: Language): string[] | undefined {
  const lines = toLines(text);
  const first = lines.findIndex((line) => startsCode(language, line) && !isMarkdown(line) && !isProse(line));
  if (first < 0) return undefined;
  const fence = lines.findIndex((line, index) => index > first && /^\s*(```|~~~)/.test(line));
  const body = lines.slice(first, fence < 0 ? undefined : fence);
  const last = body.findLastIndex((line) => line.trim() !== "" && !isProse(line) && !isMarkdown(line));
  const code = body.slice(0, last + 1);
  return looksLikeCode(language, code) && code.some((line) => /[(=:;]/.test(line)) ? code : undefined;
}

/** A heading or a list item; a comment in code rarely begins like one. */
function isMarkdown(line: string): boolean {
  return /^(#{2,} |[-*] \*\*|\*\*)/.test(line);
}

import { jsonrepair } from "jsonrepair";
import { z } from "zod";

/** Longest text that is tried as one JSON value. */
const maxLength = 100_000;

/**
 * The first JSON object or array of a text that parses, strictly or after repair (trailing commas, single quotes, comments,
 * a missing end); undefined when there is none.
 */
export function readJson(text: string): z.core.util.JSONType | undefined {
  for (const candidate of candidates(text.slice(0, maxLength))) {
    const value = parse(candidate) ?? repair(candidate);
    if (value !== undefined) return value;
  }
  return undefined;
}

/** Pieces that may be JSON, the likeliest first: balanced brackets, then everything from the first bracket on. */
function* candidates(text: string): Generator<string> {
  let tried = 0;
  let from = 0;
  while (tried < 20) {
    const start = nextBracket(text, from);
    if (start < 0) return;
    const end = balancedEnd(text, start);
    if (end < 0) {
      yield text.slice(start).replace(/\s*```[\s\S]*$/, "");
      return;
    }
    yield text.slice(start, end);
    from = end;
    tried++;
  }
}

function nextBracket(text: string, from: number): number {
  const found = text.slice(from).search(/[{[]/);
  return found < 0 ? -1 : from + found;
}

function balancedEnd(text: string, start: number): number {
  let depth = 0;
  let inString = false;
  for (let at = start; at < text.length; at++) {
    const char = text[at];
    if (inString) {
      if (char === "\\") at++;
      else if (char === '"') inString = false;
    } else if (char === '"') inString = true;
    else if (char === "{" || char === "[") depth++;
    else if (char === "}" || char === "]") {
      depth--;
      if (depth === 0) return at + 1;
    }
  }
  return -1;
}

function parse(text: string): z.core.util.JSONType | undefined {
  try {
    return toJson(JSON.parse(text));
  } catch {
    return undefined;
  }
}

function repair(text: string): z.core.util.JSONType | undefined {
  // A bracket in prose, such as "[1]" or "{name}", is no answer: repair only what has a key or looks like a list of values.
  if (!/^[{[]\s*(["'{[\d]|[\w-]+\s*:)/.test(text)) return undefined;
  try {
    return toJson(JSON.parse(jsonrepair(text)));
  } catch {
    return undefined;
  }
}

function toJson(value: unknown): z.core.util.JSONType | undefined {
  const parsed = z.json().safeParse(value);
  return parsed.success ? parsed.data : undefined;
}

import { maxNodes } from "@troupe/schema";

/** A node's name in an edge, and where it stands in the text. */
export interface EdgeName {
  readonly id: string;
  readonly offset: number;
  readonly length: number;
}

/** What keeps a text from being an edge, and where. */
export interface EdgeFault {
  readonly offset: number;
  readonly length: number;
  readonly message: string;
  readonly hint?: string;
}

/** A written edge: groups of nodes, each joined to every node of the next. */
export type ParsedEdge = { readonly groups: readonly (readonly EdgeName[])[] } | { readonly fault: EdgeFault };

/** What an edge may look like, for messages. */
export const edgeForms = '"a -> b -> c", "a -> [b, c]", "a, b -> c" or "1-4 -> 5"';

type Token = { readonly kind: "->" | "[" | "]" | "," | "range" | "name" | "end" | "other"; readonly text: string; readonly offset: number };

/**
 * Reads the short form of edges.
 *
 * @example
 * parseEdge("plan -> [code, test]"); // groups: plan; code, test
 */
export function parseEdge(text: string): ParsedEdge {
  const tokens = readTokens(text);
  const groups: EdgeName[][] = [];
  let at = 0;
  for (;;) {
    const group = readGroup(tokens, at);
    if ("fault" in group) return group;
    groups.push(group.names);
    const token = tokens[group.next] ?? endOf(text);
    if (token.kind === "end" && groups.length > 1) return { groups };
    if (token.kind !== "->") return faultAt(token, groups.length > 1 ? "`->` or the end" : "`->`");
    at = group.next + 1;
  }
}

type Group = { readonly names: EdgeName[]; readonly next: number } | { readonly fault: EdgeFault };

/** Names in a row, with brackets around them or without. */
function readGroup(tokens: readonly Token[], start: number): Group {
  if (tokens[start]?.kind !== "[") return readNames(tokens, start);
  const inner = readNames(tokens, start + 1);
  if ("fault" in inner) return inner;
  const closing = tokens[inner.next] ?? endOf("");
  return closing.kind === "]" ? { names: inner.names, next: inner.next + 1 } : faultAt(closing, "`,` or `]`");
}

function readNames(tokens: readonly Token[], start: number): Group {
  const names: EdgeName[] = [];
  for (let at = start; ; at += 2) {
    const token = tokens[at] ?? endOf("");
    if (token.kind !== "name" && token.kind !== "range") return faultAt(token, "a node's name");
    const expanded = token.kind === "range" ? expandRange(token) : [nameOf(token, token.text)];
    if ("message" in expanded) return { fault: expanded };
    for (const name of expanded) names.push(name);
    if (names.length > maxNodes) return { fault: { ...placeOf(token), message: `more than ${maxNodes} nodes in one group` } };
    if (tokens[at + 1]?.kind !== ",") return { names, next: at + 1 };
  }
}

function expandRange(token: Token): EdgeName[] | EdgeFault {
  const [first = 0, last = 0] = token.text.split("-").map(Number);
  const place = placeOf(token);
  if (first > last) return { ...place, message: `the range ${token.text} runs backwards`, hint: `write ${last}-${first}` };
  if (last - first >= maxNodes) return { ...place, message: `the range ${token.text} has more than ${maxNodes} nodes` };
  return Array.from({ length: last - first + 1 }, (_, i) => nameOf(token, String(first + i)));
}

const tokenPattern = /\s*(?:(->|[[\],])|(\d+-\d+(?![\w.]))|([A-Za-z0-9][A-Za-z0-9_.]*)|$|(\S))/y;

function readTokens(text: string): Token[] {
  const tokens: Token[] = [];
  tokenPattern.lastIndex = 0;
  while (tokenPattern.lastIndex < text.length) {
    const match = tokenPattern.exec(text);
    if (match === null) break;
    const [whole, sign, range, name, other] = match;
    const word = sign ?? range ?? name ?? other;
    if (word === undefined) break;
    const offset = match.index + whole.length - word.length;
    const kind = sign !== undefined ? (sign as Token["kind"]) : range !== undefined ? "range" : name !== undefined ? "name" : "other";
    tokens.push({ kind, text: word, offset });
  }
  tokens.push(endOf(text));
  return tokens;
}

function nameOf(token: Token, id: string): EdgeName {
  return { id, ...placeOf(token) };
}

function placeOf(token: Token): { offset: number; length: number } {
  return { offset: token.offset, length: Math.max(1, token.text.length) };
}

function endOf(text: string): Token {
  return { kind: "end", text: "", offset: Math.max(0, text.length - 1) };
}

function faultAt(token: Token, wanted: string): { fault: EdgeFault } {
  const found = token.kind === "end" ? "the edge ends" : `there is \`${token.text}\``;
  return { fault: { ...placeOf(token), message: `${found} where ${wanted} was expected` } };
}

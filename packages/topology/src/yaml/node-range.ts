import { type Document, isAlias, isMap, isNode, isScalar, isSeq, type Pair, type Scalar } from "yaml";
import type { TextRange } from "./located-text.ts";
import type { Spot } from "./place.ts";

/**
 * Where a path stands in the text. What is not there stands at the key of the mapping that lacks it.
 *
 * @param text The text that the document was read from.
 */
export function rangeOf(document: Document, spot: Spot, text: string): TextRange {
  let node: unknown = document.contents;
  let last = startOf(node) ?? [0, 0];
  for (const part of spot.path) {
    const child = childOf(isAlias(node) ? node.resolve(document) : node, part);
    if (child === undefined) return last;
    node = child.value;
    last = startOf(child.key) ?? startOf(node) ?? last;
  }
  if (spot.on === "key") return last;
  return (isScalar(node) ? withinScalar(node, spot, text) : startOf(node)) ?? last;
}

/** What a key or an index leads to, and the key's own node. */
function childOf(node: unknown, part: string | number): { key: unknown; value: unknown } | undefined {
  if (isSeq(node)) return typeof part === "number" && part < node.items.length ? { key: undefined, value: node.items[part] } : undefined;
  return isMap(node) ? pairOf(node.items, part) : undefined;
}

/** The last pair of a key, which is the one that counts when it stands twice. */
function pairOf(pairs: readonly Pair[], key: string | number): Pair | undefined {
  return pairs.findLast((pair) => isScalar(pair.key) && pair.key.value === String(key));
}

function startOf(node: unknown): TextRange | undefined {
  if (!isNode(node) || !node.range || node.range[1] <= node.range[0]) return undefined;
  // A block mapping reaches over many lines: its first key stands for it.
  if (isMap(node) && !node.flow) return startOf(node.items[0]?.key);
  return [node.range[0], node.range[1]];
}

/** Part of a text; the whole when it is not written letter by letter (escapes, several lines). */
function withinScalar(scalar: Scalar, spot: Spot, text: string): TextRange | undefined {
  const whole = startOf(scalar);
  if (whole === undefined || spot.offset === undefined || typeof scalar.value !== "string") return whole;
  const start = whole[0] + (scalar.type === "PLAIN" ? 0 : 1);
  if (!text.startsWith(scalar.value, start)) return whole;
  return [start + spot.offset, start + spot.offset + (spot.length ?? 1)];
}

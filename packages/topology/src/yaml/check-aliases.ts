import { type Alias, type Document, isAlias, isCollection, isPair, type Node, visit } from "yaml";
import type { ProblemText } from "./place.ts";

const mostExpanded = 10_000;

/** A fault of the document at a node of it. */
export interface NodeFault {
  readonly node: Node;
  readonly fault: ProblemText;
}

/**
 * Refuses aliases that name no anchor, that stand inside what they name, or that together expand to more than 10,000 values
 * (an anchor bomb).
 */
export function checkAliases(document: Document): NodeFault[] {
  const sizes = new Map<Node, number>();
  const faults: NodeFault[] = [];
  let expanded = 0;
  visit(document, {
    Alias: (_key, alias) => {
      const target = alias.resolve(document);
      const size = target === undefined ? "unknown" : sizeOf(target, document, sizes);
      if (typeof size === "number") expanded += size;
      const fault = typeof size === "string" ? faultOf(size, alias) : expanded > mostExpanded ? bomb : undefined;
      if (fault !== undefined) faults.push({ node: alias, fault });
      return fault === bomb ? visit.BREAK : undefined;
    },
  });
  return faults;
}

const bomb: ProblemText = {
  message: "the aliases of this file expand to too many values",
  expected: `at most ${mostExpanded} values from all aliases together`,
};

function faultOf(kind: "unknown" | "circular", alias: Alias): ProblemText {
  if (kind === "circular") return { message: `the alias *${alias.source} stands inside what it names` };
  return { message: `the alias *${alias.source} names no anchor`, expected: `an anchor &${alias.source} further up` };
}

/** Values below a node with aliases followed; 0 marks a node that is being counted. */
function sizeOf(node: Node, document: Document, sizes: Map<Node, number>): number | "circular" {
  const known = sizes.get(node);
  if (known !== undefined) return known === 0 ? "circular" : known;
  sizes.set(node, 0);
  let size = 1;
  for (const child of childrenOf(node, document)) {
    const inner = sizeOf(child, document, sizes);
    if (inner === "circular") return inner;
    size += inner;
  }
  sizes.set(node, size);
  return size;
}

function childrenOf(node: Node, document: Document): Node[] {
  if (isAlias(node)) {
    const target = node.resolve(document);
    return target === undefined ? [] : [target];
  }
  if (!isCollection(node)) return [];
  return node.items.flatMap((item) => (isPair(item) ? [item.value as Node | null] : [item as Node])).filter((child) => child !== null);
}

/** How much one evaluation may do: each part of a condition counts one, and more when it looks through a long text or list. */
const mostWork = 1_000_000;
/** Elements of a list or map that count as one. */
const elementsPerUnit = 8;
/** Characters that count as one. */
const charactersPerUnit = 64;
/** What a part counts that fails: the library writes an error with an excerpt, which may be passed over. */
const workOfFailure = 100;
/** What looks through its operands, or copies them. */
const scanning = new Set(["==", "!=", "in", "+", "<", "<=", ">", ">=", "call", "rcall"]);

/** Thrown inside an evaluation that does too much. */
export class TooMuchWork extends Error {}

type Evaluate = (...args: unknown[]) => unknown;

/** A node of a parsed condition, as the library keeps it: macros lie in its `meta`. */
interface ConditionNode {
  evaluate: Evaluate;
  readonly op: unknown;
  readonly args: unknown;
  readonly meta?: unknown;
}

/**
 * Bounds what the evaluation of a parsed condition may do. The language has no loops, but lists lie in lists: each of 10,000 items compared
 * with each other takes a minute, and three deep for ever. The library can't be told a limit, so every node of the tree counts.
 *
 * @returns what gives the whole allowance back before an evaluation.
 */
export function boundWork(tree: unknown): () => void {
  let left = mostWork;
  const spend = (work: number): void => {
    left -= work;
    // What catches errors, as `||` does, meets this one again at its next step.
    if (left < 0) throw new TooMuchWork();
  };
  const { nodes, scanned } = nodesOf(tree);
  for (const node of nodes) {
    // The library puts a faster function in the place of this one when a node is evaluated for the first time.
    let evaluate = node.evaluate;
    const counting: Evaluate = (...args) => {
      spend(1);
      try {
        const value = evaluate.apply(node, args);
        if (scanned.has(node) || node.op === "+") spend(workOf(value));
        return value;
      } catch (thrown) {
        left -= workOfFailure;
        throw thrown;
      }
    };
    const set = (faster: Evaluate): void => {
      evaluate = faster;
    };
    Object.defineProperty(node, "evaluate", { get: () => counting, set });
  }
  return () => {
    left = mostWork;
  };
}

/** All nodes of a tree, those that macros are made into included, and which of them others look through. */
function nodesOf(tree: unknown): { nodes: Set<ConditionNode>; scanned: Set<unknown> } {
  const nodes = new Set<ConditionNode>();
  const scanned = new Set<unknown>();
  const seen = new Set<unknown>();
  const open = [tree];
  while (open.length > 0) {
    const one = open.pop();
    if (typeof one !== "object" || one === null || seen.has(one)) continue;
    seen.add(one);
    if (isNode(one)) {
      nodes.add(one);
      const operands: unknown[] = Array.isArray(one.args) ? one.args.flat() : [one.args];
      if (scanning.has(String(one.op))) for (const operand of operands) scanned.add(operand);
      open.push(one.meta);
    }
    const parts: unknown[] = Object.values(one);
    for (const part of parts) open.push(part);
  }
  return { nodes, scanned };
}

function isNode(one: object): one is ConditionNode {
  return "op" in one && "args" in one && "evaluate" in one && typeof one.evaluate === "function";
}

function workOf(value: unknown): number {
  if (typeof value === "string") return value.length / charactersPerUnit;
  if (Array.isArray(value)) return value.length / elementsPerUnit;
  return value instanceof Map ? value.size / elementsPerUnit : 0;
}

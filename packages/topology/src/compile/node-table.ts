import type { TopologyFile } from "@troupe/schema";
import type { ProblemList } from "./problem-list.ts";
import { didYouMean } from "../yaml/did-you-mean.ts";
import { quote } from "../yaml/quote.ts";

/** The nodes of a topology by number and by name. */
export interface NodeTable {
  readonly ids: readonly string[];
  readonly indexOf: ReadonlyMap<string, number>;
  /** Index in the file's `nodes` of what is said of a node; absent: nothing is. */
  readonly entryOf: ReadonlyMap<number, number>;
}

/** Numbers the nodes: those of the shape, which `nodes` may change but not add to, or else those of `nodes`. */
export function tableNodes(file: TopologyFile, list: ProblemList): NodeTable {
  const ids = file.shape === undefined ? [] : Array.from({ length: file.shape.size }, (_, i) => String(i + 1));
  const indexOf = new Map(ids.map((id, i) => [id, i]));
  const entryOf = new Map<number, number>();
  for (const [i, { id }] of (file.nodes ?? []).entries()) {
    const known = indexOf.get(id);
    const first = known === undefined ? undefined : entryOf.get(known);
    if (first !== undefined) {
      const message = `the node ${quote(id)} stands twice: first on ${list.source.mark(["nodes", first])}`;
      list.add({ path: ["nodes", i, "id"], message, expected: "each node once" });
    } else if (known === undefined && file.shape !== undefined) {
      list.add({ path: ["nodes", i, "id"], message: `the shape has no node ${quote(id)}`, expected: namesOf(ids), ...didYouMean(id, ids) });
    } else {
      entryOf.set(known ?? ids.length, i);
      if (known === undefined) indexOf.set(id, ids.push(id) - 1);
    }
  }
  return { ids, indexOf, entryOf };
}

/** The nodes there are, in words. */
export function namesOf(ids: readonly string[]): string {
  if (ids.length > 12) return `one of the ${ids.length} nodes, ${quote(ids[0])} to ${quote(ids.at(-1))}`;
  return ids.length === 0 ? "a node that `nodes` names" : `one of ${ids.map(quote).join(", ")}`;
}

import type { TopologyFile } from "@troupe/schema";
import { didYouMean } from "../yaml/did-you-mean.ts";
import type { Spot } from "../yaml/place.ts";
import { quote } from "../yaml/quote.ts";
import type { EdgeColumns } from "./edge-columns.ts";
import { type NodeTable, namesOf } from "./node-table.ts";
import { edgeForms, parseEdge } from "./parse-edge.ts";
import type { ProblemList } from "./problem-list.ts";

/** What a file says of one edge, or of several in the short form. */
export type EdgeEntry = NonNullable<TopologyFile["edges"]>[number];

const most = 1_000_000;

/** A node that an edge names, and where. */
interface Named {
  readonly id: string;
  readonly spot: Spot;
}
type Known = Named & { readonly node: number };

/** Reads the `edges` of a file into columns, in their order; what can't be read, names no node or joins a node to itself is a problem. */
export function readWrittenEdges(entries: readonly EdgeEntry[], nodes: NodeTable, list: ProblemList): EdgeColumns {
  const rows = { from: [] as number[], to: [] as number[], entry: [] as number[], offset: [] as number[] };
  for (const [i, entry] of entries.entries()) {
    for (const [from, to] of pairsOf(groupsOf(entry, i, list), nodes, list)) {
      if (rows.from.length >= most) {
        list.add({ path: ["edges", i], message: `more than ${most} edges`, hint: "use a shape" });
        return toColumns(rows);
      }
      rows.from.push(from.node);
      rows.to.push(to.node);
      rows.entry.push(i);
      rows.offset.push(to.spot.offset ?? 0);
    }
    if (list.full) break;
  }
  return toColumns(rows);
}

/** The names of an entry in groups, each joined to the next. */
function groupsOf(entry: EdgeEntry, index: number, list: ProblemList): Named[][] {
  const path = ["edges", index];
  if (typeof entry !== "string") {
    return [[{ id: entry.from, spot: { path: [...path, "from"] } }], [{ id: entry.to, spot: { path: [...path, "to"] } }]];
  }
  const parsed = parseEdge(entry);
  if ("groups" in parsed) return parsed.groups.map((names) => names.map(({ id, ...place }) => ({ id, spot: { path, ...place } })));
  list.add({ path, ...parsed.fault, expected: edgeForms });
  return [];
}

/** The pairs of known nodes that groups join. */
function* pairsOf(groups: readonly Named[][], nodes: NodeTable, list: ProblemList): Generator<[Known, Known]> {
  let before: Known[] = [];
  for (const group of groups) {
    const known = group.flatMap((named) => lookUp(named, nodes, list));
    for (const from of before) {
      for (const to of known) {
        if (list.full) return;
        if (from.node !== to.node) yield [from, to];
        else
          list.add({
            ...to.spot,
            message: `the edge ${from.id} -> ${to.id} joins a node to itself`,
            expected: "an edge between two nodes",
          });
      }
    }
    before = known;
  }
}

function lookUp(named: Named, nodes: NodeTable, list: ProblemList): Known[] {
  const { id, spot } = named;
  const node = nodes.indexOf.get(id);
  if (node !== undefined) return [{ ...named, node }];
  if (list.full) return [];
  list.add({ ...spot, message: `no node is called ${quote(id)}`, expected: namesOf(nodes.ids), ...didYouMean(id, nodes.ids) });
  return [];
}

function toColumns(rows: Record<keyof EdgeColumns, number[]>): EdgeColumns {
  return {
    from: Int32Array.from(rows.from),
    to: Int32Array.from(rows.to),
    entry: Int32Array.from(rows.entry),
    offset: Int32Array.from(rows.offset),
  };
}

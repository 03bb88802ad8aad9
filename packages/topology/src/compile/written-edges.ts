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

/** A name of a node and where it is written. */
interface Written {
  readonly id: string;
  readonly spot: Spot;
}

/** Reads the `edges` of a file into columns, in their order; what can't be read, names no node or joins a node to itself is a problem. */
export function readWrittenEdges(entries: readonly EdgeEntry[], nodes: NodeTable, list: ProblemList): EdgeColumns {
  const rows = { from: [] as number[], to: [] as number[], entry: [] as number[], offset: [] as number[] };
  for (const [i, entry] of entries.entries()) {
    for (const [from, to] of pairsOf(entry, i, list)) {
      if (list.full) break;
      if (rows.from.length >= most) {
        list.add({ path: ["edges", i], message: `more than ${most} edges`, hint: "use a shape" });
        return toColumns(rows);
      }
      const u = lookUp(from, nodes, list);
      const v = lookUp(to, nodes, list);
      if (u === undefined || v === undefined) continue;
      if (u === v) {
        list.add({ ...to.spot, message: `the edge ${from.id} -> ${to.id} joins a node to itself`, expected: "an edge between two nodes" });
        continue;
      }
      rows.from.push(u);
      rows.to.push(v);
      rows.entry.push(i);
      rows.offset.push(to.spot.offset ?? 0);
    }
  }
  return toColumns(rows);
}

/** The pairs of names that an entry joins. */
function* pairsOf(entry: EdgeEntry, index: number, list: ProblemList): Generator<[Written, Written]> {
  const path = ["edges", index];
  if (typeof entry !== "string") {
    yield [
      { id: entry.from, spot: { path: [...path, "from"] } },
      { id: entry.to, spot: { path: [...path, "to"] } },
    ];
    return;
  }
  const parsed = parseEdge(entry);
  if ("fault" in parsed) {
    list.add({ path, ...parsed.fault, expected: edgeForms });
    return;
  }
  const groups = parsed.groups.map((names) => names.map(({ id, offset, length }) => ({ id, spot: { path, offset, length } })));
  for (const [i, group] of groups.slice(1).entries()) {
    for (const from of groups[i] ?? []) for (const to of group) yield [from, to];
  }
}

function lookUp({ id, spot }: Written, nodes: NodeTable, list: ProblemList): number | undefined {
  const index = nodes.indexOf.get(id);
  if (index === undefined) {
    list.add({ ...spot, message: `no node is called ${quote(id)}`, expected: namesOf(nodes.ids), ...didYouMean(id, nodes.ids) });
  }
  return index;
}

function toColumns(rows: Record<keyof EdgeColumns, number[]>): EdgeColumns {
  return {
    from: Int32Array.from(rows.from),
    to: Int32Array.from(rows.to),
    entry: Int32Array.from(rows.entry),
    offset: Int32Array.from(rows.offset),
  };
}

import type { TopologyFile } from "@troupe/schema";
import type { Source } from "../yaml/place.ts";
import type { CardTable } from "./check-cards.ts";
import type { PoolTable } from "./profile-draw.ts";

/** Topologies by the path that is written where they are named, with where they stand; `faulty`: there is one, but its problems are reported elsewhere. */
export type GraphTable = ReadonlyMap<string, { readonly file: TopologyFile; readonly source: Source } | "faulty">;

/** A topology before it is compiled, possibly with parts that could not be used. */
export interface TopologyParts {
  readonly file: TopologyFile;
  readonly cards: CardTable;
  readonly pools: PoolTable;
  /** Topologies that nodes name. */
  readonly graphs: GraphTable;
  /** The topology files around this one, the outermost first. */
  readonly within: readonly string[];
  /** Top-level keys of the file whose problems are known; checks that need them are left out. */
  readonly broken: ReadonlySet<string>;
}

/** Whether all parts are there and sound, so that only what the compiler itself finds can stand in the way. */
export function areSound({ cards, pools, graphs, broken }: TopologyParts): boolean {
  return broken.size === 0 && ![...cards.values(), ...pools.values(), ...graphs.values()].includes("faulty");
}

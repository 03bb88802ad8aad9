import type { TopologyFile } from "@troupe/schema";
import type { CardTable } from "./check-cards.ts";
import type { PoolTable } from "./profile-draw.ts";

/** A topology before it is compiled, possibly with parts that could not be used. */
export interface TopologyParts {
  readonly file: TopologyFile;
  readonly cards: CardTable;
  readonly pools: PoolTable;
  /** Top-level keys of the file whose problems are known; checks that need them are left out. */
  readonly broken: ReadonlySet<string>;
}

/** Whether all parts are there and sound, so that only what the compiler itself finds can stand in the way. */
export function areSound({ cards, pools, broken }: TopologyParts): boolean {
  return broken.size === 0 && ![...cards.values(), ...pools.values()].includes("faulty");
}

import type { Problem, TopologyBundle, TopologyFile } from "@troupe/schema";
import type { CardTable } from "../compile/check-cards.ts";
import { compileParts } from "../compile/compile-topology.ts";
import { createProblemList, fileInvalid } from "../compile/problem-list.ts";
import type { PoolTable } from "../compile/profile-draw.ts";
import type { GraphTable } from "../compile/topology-parts.ts";
import type { CompiledTopology } from "../compiled-topology.ts";
import type { Source } from "../yaml/place.ts";
import { inOrder } from "../yaml/read-yaml.ts";
import { findUnknownModels } from "./find-unknown-models.ts";
import { salvage } from "./salvage.ts";

/** A topology that can run. */
export interface LoadedTopology {
  /** The checked file, its cards, its pools of profiles and the topologies in it: all that a run needs, kept in its log. */
  readonly bundle: TopologyBundle;
  readonly graph: CompiledTopology;
  /** What is allowed but probably not meant. */
  readonly warnings: readonly Problem[];
}

/** A topology whose schema was checked, and the cards that were found. */
export interface ReadTopology {
  readonly source: Source;
  readonly raw: unknown;
  readonly value: TopologyFile | undefined;
  /** What the schema says of the file. */
  readonly problems: readonly Problem[];
  readonly cards: CardTable;
  /** Where the cards stand, by path. */
  readonly cardSources: ReadonlyMap<string, Source>;
  readonly pools: PoolTable;
  readonly graphs: GraphTable;
  /** What was wrong with cards, pools, further topologies and their paths. */
  readonly namedProblems: readonly Problem[];
}

/** What a topology is checked against besides itself. */
export interface TopologyContext {
  /** Names that agents may use as `model`; default: any. */
  readonly models?: readonly string[] | undefined;
}

/** What can still be checked of a topology that was read. */
export function usableParts({ value, raw }: Pick<ReadTopology, "value" | "raw">): { file: TopologyFile; broken: Set<string> } | undefined {
  return value === undefined ? salvage(raw) : { file: value, broken: new Set() };
}

/**
 * Compiles what was read.
 *
 * @throws TroupeError `file_invalid` with all problems of the topology and of its cards; `model_unknown` when all that is wrong are
 * models that nobody declares.
 */
export function finishTopology(read: ReadTopology, { models }: TopologyContext = {}): LoadedTopology {
  const list = createProblemList(read.source);
  const parts = usableParts(read);
  const graph = parts && compileParts({ ...parts, cards: read.cards, pools: read.pools, graphs: read.graphs, within: [] }, list);
  const unknown = models === undefined || read.value === undefined ? [] : unknownModels(read, { file: read.value, graph }, models);
  const found = [...read.problems, ...list.all, ...read.namedProblems, ...unknown];
  const own = found.filter(({ file }) => file === read.source.file);
  const problems = [...inOrder(own), ...found.filter(({ file }) => file !== read.source.file)];
  const isFaulty = problems.some(({ severity }) => severity === "error");
  if (isFaulty || graph === undefined || read.value === undefined) throw fileInvalid(read.source.file, problems);
  const bundle = {
    file: read.value,
    cards: usable(read.cards),
    ...(read.pools.size === 0 ? {} : { profiles: usable(read.pools) }),
    ...(read.graphs.size === 0
      ? {}
      : { graphs: Object.fromEntries(Object.entries(usable(read.graphs)).map(([path, { file }]) => [path, file])) }),
  };
  return { bundle, graph, warnings: problems };
}

/** Models that nobody declares, in the topology and in those that its nodes name. */
function unknownModels(
  read: ReadTopology,
  own: { file: TopologyFile; graph: CompiledTopology | undefined },
  known: readonly string[],
): Problem[] {
  const inner = [...read.graphs.values()].flatMap((found) =>
    found === "faulty" ? [] : findUnknownModels({ ...read, ...found, graph: undefined }, known),
  );
  return [...findUnknownModels({ ...read, ...own }, known), ...inner];
}

function usable<T>(table: ReadonlyMap<string, T | "faulty">): Record<string, T> {
  return Object.fromEntries([...table].flatMap(([path, value]) => (value === "faulty" ? [] : [[path, value] as const])));
}

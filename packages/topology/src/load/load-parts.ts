import type { AgentCard, Problem, ProfilePool, TopologyFile } from "@troupe/schema";
import { listCardUses, listInnerFiles } from "../compile/card-uses.ts";
import { listPoolUses } from "../compile/profile-draw.ts";
import type { GraphTable } from "../compile/topology-parts.ts";
import type { Source } from "../yaml/place.ts";
import {
  type FileUse,
  innerTopologies,
  loadNamedFiles,
  type NamedKind,
  type NamedLoading,
  profilePools,
  roleCards,
} from "./load-named-files.ts";
import type { z } from "zod";

/** All files that a topology names, and those that the topologies among them name. */
export interface NamedParts {
  readonly cards: ReadonlyMap<string, AgentCard | "faulty">;
  /** Where the cards stand, by path. */
  readonly cardSources: ReadonlyMap<string, Source>;
  readonly pools: ReadonlyMap<string, ProfilePool | "faulty">;
  readonly graphs: GraphTable;
  readonly namedProblems: readonly Problem[];
}

/** Loads every file that a topology names, each once; paths are looked up from the first topology, whoever names them. */
export async function loadParts(file: TopologyFile | undefined, loading: NamedLoading): Promise<NamedParts> {
  const cards = new Map<string, AgentCard | "faulty">();
  const cardSources = new Map<string, Source>();
  const pools = new Map<string, ProfilePool | "faulty">();
  const graphs = new Map<string, { file: TopologyFile; source: Source } | "faulty">();
  const namedProblems: Problem[] = [];

  /** Loads what is not known yet; the sources by path. */
  async function load<S extends z.ZodType>(
    kind: NamedKind<S>,
    uses: readonly FileUse[],
    { known, source }: { known: Map<string, unknown>; source: Source },
  ) {
    const found = await loadNamedFiles(
      kind,
      uses.filter((use) => !known.has(use.file)),
      { ...loading, source },
    );
    namedProblems.push(...found.problems);
    return found;
  }

  const waiting = file === undefined ? [] : [{ file, source: loading.source }];
  for (let next = waiting.shift(); next !== undefined; next = waiting.shift()) {
    const { source } = next;
    const uses = listCardUses(next.file).map(({ card, path }) => ({ file: card, path }));
    const found = await load(roleCards, uses, { known: cards, source });
    for (const [path, card] of found.values) cards.set(path, card);
    for (const [path, place] of found.sources) cardSources.set(path, place);
    for (const [path, pool] of (await load(profilePools, listPoolUses(next.file), { known: pools, source })).values) pools.set(path, pool);
    const inner = await load(innerTopologies, listInnerFiles(next.file), { known: graphs, source });
    for (const [path, topology] of inner.values) {
      const place = inner.sources.get(path);
      graphs.set(path, topology === "faulty" || place === undefined ? "faulty" : { file: topology, source: place });
      if (topology !== "faulty" && place !== undefined) waiting.push({ file: topology, source: place });
    }
  }
  return { cards, cardSources, pools, graphs, namedProblems };
}

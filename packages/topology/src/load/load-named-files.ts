import { agentCard, type Problem, profilePool, topologyFile } from "@troupe/schema";
import type { z } from "zod";
import type { DocumentPath, Source } from "../yaml/place.ts";
import { readYaml } from "../yaml/read-yaml.ts";
import type { FileAccess } from "./file-access.ts";
import { type CardPlaces, type CardWords, findCard } from "./find-card.ts";

/** What the files of one kind are: their schema, and the words that messages have for them. */
export interface NamedKind<S extends z.ZodType> extends CardWords {
  readonly schema: S;
}

/** Role cards. */
export const roleCards = { schema: agentCard, noun: "a role card", example: "agents/programmer.yaml" } as const;
/** Pools of profiles. */
export const profilePools = { schema: profilePool, noun: "a pool of profiles", example: "agents/profiles/engineers.yaml" } as const;

/** Topologies that work at a node. */
export const innerTopologies = { schema: topologyFile, noun: "a topology", example: "topologies/review-chain.yaml" } as const;

/** Where a topology names a file. */
export interface FileUse {
  /** The file's path, as written. */
  readonly file: string;
  readonly path: DocumentPath;
}

/** How the files that a topology names are found and told of. */
export interface NamedLoading {
  /** The topology. */
  readonly source: Source;
  readonly places: CardPlaces;
  readonly files: FileAccess;
  readonly signal: AbortSignal;
  /** How a file is shown to the user: in the way that the topology's own path was written. */
  readonly shown: (file: string) => string;
}

/** The files of one kind, by the path that the topology wrote. */
export interface NamedFiles<T> {
  readonly values: ReadonlyMap<string, T | "faulty">;
  readonly sources: ReadonlyMap<string, Source>;
  readonly problems: readonly Problem[];
}

/** Loads each named file once; problems with a path are told where it is first named. */
export async function loadNamedFiles<S extends z.ZodType>(
  kind: NamedKind<S>,
  uses: readonly FileUse[],
  { source, places, files, signal, shown }: NamedLoading,
): Promise<NamedFiles<z.output<S>>> {
  const values = new Map<string, z.output<S> | "faulty">();
  const sources = new Map<string, Source>();
  const problems: Problem[] = [];
  const seen = new Set<string>();
  for (const { file, path } of uses) {
    if (values.has(file)) continue;
    signal.throwIfAborted();
    const found = await findCard(file, { places, words: kind }, files);
    if ("fault" in found) {
      problems.push(source.problem({ path, ...found.fault }));
      values.set(file, "faulty");
      continue;
    }
    const read = readYaml(kind.schema, { path: shown(found.file), text: found.text });
    sources.set(file, read.source);
    if (!seen.has(found.realFile)) problems.push(...read.problems);
    seen.add(found.realFile);
    values.set(file, read.value ?? "faulty");
  }
  return { values, sources, problems };
}

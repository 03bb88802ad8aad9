import { dirname, join, relative, resolve } from "node:path";
import { topologyFile } from "@troupe/schema";
import { readYaml } from "../yaml/read-yaml.ts";
import { type FileAccess, nodeFiles } from "./file-access.ts";
import type { CardPlaces } from "./find-card.ts";
import { finishTopology, type LoadedTopology, type TopologyContext, usableParts } from "./finish-topology.ts";
import { loadParts } from "./load-parts.ts";
import { findProjectRoot, foldersUpwards } from "./project-root.ts";
import { readSource } from "./read-source.ts";

/** How to load a topology. */
export interface LoadOptions extends TopologyContext {
  /**
   * The project folder, which cards may not lie outside of and to which their paths are relative.
   * Default: the nearest folder upwards from the topology with `troupe.yaml`, `package.json` or `.git`; a card's path is then
   * relative to the nearest folder from the topology up to there that holds it.
   */
  readonly root?: string;
  /** Default: the machine's file system. */
  readonly files?: FileAccess;
  readonly signal: AbortSignal;
}

/**
 * Reads a topology and every card, profile pool and further topology it names, checks them, and compiles the graph.
 *
 * @param path The topology's YAML file, as the user wrote it.
 * @throws TroupeError `file_missing` or `file_unreadable` when there is no such file; `file_invalid` with all problems of the
 * topology and of its cards; `model_unknown` when all that is wrong are models that nobody declares.
 * @example
 * const { graph } = await loadTopology("topologies/review-chain.yaml", { signal });
 */
export async function loadTopology(path: string, options: LoadOptions): Promise<LoadedTopology> {
  const { files = nodeFiles, signal } = options;
  const text = await readSource(path, files, signal);
  const reading = readYaml(topologyFile, { path, text });
  const parts = usableParts(reading);
  const folder = dirname(resolve(path));
  const root = options.root === undefined ? await findProjectRoot(folder, files) : resolve(options.root);
  const places: CardPlaces = { root, folders: options.root === undefined ? foldersUpwards(folder, root) : [root] };
  const shown = (file: string) => join(dirname(path), relative(folder, file));
  const named = await loadParts(parts?.file, { source: reading.source, places, files, signal, shown });
  return finishTopology({ ...reading, ...named }, options);
}

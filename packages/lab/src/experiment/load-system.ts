import { createHash } from "node:crypto";
import { resolve } from "node:path";
import { type FileAccess, type LoadedTopology, loadTopology, nodeFiles, readYaml } from "@troupe/runtime";
import {
  canonicalJson,
  type ExperimentSystem,
  isTroupeError,
  type Limits,
  systemNameOf,
  type TopologyBundle,
  type TopologyOverrides,
  topologyFile,
} from "@troupe/schema";

/** A system of an experiment that can run. */
export interface LoadedSystem {
  /** What rows call it. */
  readonly name: string;
  readonly bundle: TopologyBundle;
  readonly limits?: Limits;
  /** Digest of what the experiment changes of the topology; absent when it is run as it is. */
  readonly setup?: string;
}

/** How systems are loaded. */
export interface SystemOptions {
  readonly signal: AbortSignal;
  readonly files?: FileAccess | undefined;
  /** Names of models that topologies may ask; undefined: any. */
  readonly models?: readonly string[] | undefined;
}

/**
 * Loads a topology with its cards, and with what a system changes of it.
 *
 * @param path where the topology lies.
 * @throws TroupeError what is wrong with the topology as it is; `file_invalid` with no located problems when only the changed one is.
 */
export async function loadSystem(
  system: ExperimentSystem,
  path: string,
  options: SystemOptions,
): Promise<{ system: LoadedSystem; warnings: LoadedTopology["warnings"] }> {
  const { overrides, limits } = system;
  const loading = { signal: options.signal, models: options.models, files: options.files ?? nodeFiles };
  const { bundle, warnings } = overrides === undefined ? await loadTopology(path, loading) : await loadChanged(path, overrides, loading);
  const changed = limits === undefined && overrides === undefined ? {} : { setup: digestOf(system) };
  return { system: { name: systemNameOf(system), bundle, ...(limits === undefined ? {} : { limits }), ...changed }, warnings };
}

/** What a topology's file may have: it was read once already when this is asked. */
const mostBytes = 1_000_000;

type Loading = Parameters<typeof loadTopology>[1] & { readonly files: FileAccess };

async function loadChanged(path: string, overrides: TopologyOverrides, loading: Loading): Promise<LoadedTopology> {
  // What is wrong with the file itself is told where it stands there; a model that the change replaces need not exist.
  await loadTopology(path, { signal: loading.signal, files: loading.files });
  const file = resolve(path);
  const text = await loading.files.read(file, mostBytes);
  const changed = Buffer.from(JSON.stringify(applyOverrides(readYaml(topologyFile, { path, text }).raw, overrides)));
  const files: FileAccess = {
    ...loading.files,
    read: (at, most) => (at === file ? Promise.resolve(changed) : loading.files.read(at, most)),
  };
  try {
    return await loadTopology(path, { ...loading, files });
  } catch (error) {
    if (!isTroupeError(error) || error.problems.length === 0) throw error;
    throw new OverrideFault(error.problems.map(({ message }) => message).join("; "));
  }
}

/** What is wrong with a topology only after it was changed: it stands nowhere in the topology's file. */
export class OverrideFault extends Error {
  override readonly name = "OverrideFault";
}

/** The plain data of a topology with its changes: `defaults` field by field, everything else whole. */
function applyOverrides(raw: unknown, { defaults, ...others }: TopologyOverrides): unknown {
  if (typeof raw !== "object" || raw === null) return raw;
  const before = (raw as { defaults?: unknown }).defaults;
  const merged = defaults === undefined ? {} : { defaults: { ...(typeof before === "object" ? before : {}), ...defaults } };
  return { ...raw, ...others, ...merged };
}

function digestOf({ topology, limits, overrides }: ExperimentSystem): string {
  const text = canonicalJson(JSON.parse(JSON.stringify({ topology, limits: limits ?? {}, overrides: overrides ?? {} })));
  return createHash("sha256").update(text).digest("hex").slice(0, 12);
}

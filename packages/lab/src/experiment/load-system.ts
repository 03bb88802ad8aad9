import { createHash } from "node:crypto";
import { resolve } from "node:path";
import { type FileAccess, type LoadedTopology, loadTopology, nodeFiles, readYaml } from "@troupe/runtime";
import {
  canonicalJson,
  type ExperimentSystem,
  isTroupeError,
  type Limits,
  type Problem,
  type TopologyBundle,
  type TopologyOverrides,
  topologyFile,
  type VariedValues,
  variantsOf,
} from "@troupe/schema";
import { SameGraphs } from "./same-graphs.ts";

/** A system of an experiment that can run. */
export interface LoadedSystem {
  /** What tables call it. */
  readonly name: string;
  /** What its rows call it: its name, or that of an earlier system of its entry that is the same graph, and is run for both. */
  readonly runsAs: string;
  /** Index of its entry in the file's `systems`. */
  readonly entry: number;
  /** What of its entry's `vary` it has. */
  readonly values: VariedValues;
  readonly bundle: TopologyBundle;
  /** The most activations of one run. */
  readonly bound: number;
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

/** The systems of an entry, and what is probably not meant of their topology. */
export interface LoadedEntry {
  readonly systems: readonly LoadedSystem[];
  readonly warnings: LoadedTopology["warnings"];
}

/**
 * Loads a topology with its cards once for each system that an entry stands for, with what that one changes of it.
 *
 * @param path where the topology lies.
 * @throws TroupeError what is wrong with the topology as it is; `OverrideFault` when only a changed one can't run.
 */
export async function loadEntry(
  { entry, system }: { readonly entry: number; readonly system: ExperimentSystem },
  path: string,
  options: SystemOptions,
): Promise<LoadedEntry> {
  const loading = { signal: options.signal, models: options.models, files: options.files ?? nodeFiles };
  const systems: LoadedSystem[] = [];
  const warnings: Problem[] = [];
  const runners = new SameGraphs();
  for (const { name, values } of variantsOf(system)) {
    const loaded = await loadVariant(path, { system, values, name }, loading);
    const { bundle, graph } = loaded;
    const limits = limitsOf(system, values);
    const runsAs = runners.nameFor(name, { graph, limits });
    const changed = { ...(limits === undefined ? {} : { limits }), ...setupOf(system, values) };
    systems.push({ name, runsAs, entry, values, bundle, bound: graph.bound, ...changed });
    warnings.push(...loaded.warnings);
  }
  return { systems, warnings };
}

function limitsOf({ limits }: ExperimentSystem, values: VariedValues): Limits | undefined {
  const tokens = values["limits.tokens"];
  return typeof tokens === "number" ? { ...limits, tokens } : limits;
}

/** What a topology's file may have: it was read once already when this is asked. */
const mostBytes = 1_000_000;

type Loading = Parameters<typeof loadTopology>[1] & { readonly files: FileAccess };

interface Variant {
  readonly system: ExperimentSystem;
  readonly values: VariedValues;
  readonly name: string;
}

async function loadVariant(path: string, { system, values, name }: Variant, loading: Loading): Promise<LoadedTopology> {
  const changes = changesOf(system.overrides, values);
  if (changes === undefined) return loadTopology(path, loading);
  // What is wrong with the file itself is told where it stands there; a model that the change replaces need not exist.
  await loadTopology(path, { signal: loading.signal, files: loading.files });
  const file = resolve(path);
  const text = await loading.files.read(file, mostBytes);
  const changed = Buffer.from(JSON.stringify(applyChanges(readYaml(topologyFile, { path, text }).raw, changes)));
  const files: FileAccess = {
    ...loading.files,
    read: (at, most) => (at === file ? Promise.resolve(changed) : loading.files.read(at, most)),
  };
  try {
    return await loadTopology(path, { ...loading, files });
  } catch (error) {
    if (!isTroupeError(error) || error.problems.length === 0) throw error;
    const varied = Object.keys(values).length > 0;
    throw new OverrideFault(
      `the changed topology ${system.topology} can't run${varied ? ` as ${name}` : ""}: ${error.problems.map(({ message }) => message).join("; ")}`,
      varied ? "vary" : "overrides",
    );
  }
}

/** What is wrong with a topology only after it was changed: it stands nowhere in the topology's file. */
export class OverrideFault extends Error {
  override readonly name = "OverrideFault";
  /** The field of the system that is to blame. */
  readonly field: "overrides" | "vary";

  constructor(message: string, field: "overrides" | "vary") {
    super(message);
    this.field = field;
  }
}

/** Parts of a topology that are changed field by field, and those that are changed as a whole. */
interface Changes {
  readonly whole: Omit<TopologyOverrides, "defaults">;
  readonly fields: Readonly<Record<"shape" | "defaults", Readonly<Record<string, unknown>>>>;
}

/** Undefined when the topology is run as it is. */
function changesOf(overrides: TopologyOverrides | undefined, values: VariedValues): Changes | undefined {
  const { defaults, ...whole } = overrides ?? {};
  const fields = { shape: fieldsOf("shape", values), defaults: { ...defaults, ...fieldsOf("defaults", values) } };
  const isChanged = overrides !== undefined || [...Object.keys(fields.shape), ...Object.keys(fields.defaults)].length > 0;
  return isChanged ? { whole, fields } : undefined;
}

function fieldsOf(part: string, values: VariedValues): Record<string, unknown> {
  const own = Object.entries(values).filter(([path]) => path.startsWith(`${part}.`));
  return Object.fromEntries(own.map(([path, value]) => [path.slice(part.length + 1), value]));
}

/** The plain data of a topology with its changes. */
function applyChanges(raw: unknown, { whole, fields }: Changes): unknown {
  if (typeof raw !== "object" || raw === null) return raw;
  const changed: Record<string, unknown> = { ...raw, ...whole };
  for (const [part, values] of Object.entries(fields)) {
    const before = changed[part];
    if (Object.keys(values).length > 0) changed[part] = { ...(typeof before === "object" ? before : {}), ...values };
  }
  return changed;
}

function setupOf({ topology, limits, overrides }: ExperimentSystem, values: VariedValues): { setup?: string } {
  const isVaried = Object.keys(values).length > 0;
  if (limits === undefined && overrides === undefined && !isVaried) return {};
  const what = { topology, limits: limits ?? {}, overrides: overrides ?? {}, ...(isVaried ? { vary: values } : {}) };
  const text = canonicalJson(JSON.parse(JSON.stringify(what)));
  return { setup: createHash("sha256").update(text).digest("hex").slice(0, 12) };
}

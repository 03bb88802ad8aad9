import { dirname } from "node:path";
import { type FileAccess, nodeFiles, readYaml, type YamlReading } from "@troupe/runtime";
import { type ExperimentFile, experimentFile, formatProblem, isTroupeError, type Problem, type Task, TroupeError } from "@troupe/schema";
import { builtinSets, loadTasks, readRegularFile } from "@troupe/tasks";
import { findUpwards } from "./find-upwards.ts";
import { type LoadedSystem, loadEntry, OverrideFault } from "./load-system.ts";
import { pairsOf } from "./pairs-of.ts";
import { splitTasks } from "./split-tasks.ts";

/** An experiment with everything that it names. */
export interface Experiment {
  /** The file, as the user wrote it. */
  readonly path: string;
  readonly file: ExperimentFile;
  readonly systems: readonly LoadedSystem[];
  readonly tasks: readonly Task[];
  readonly seeds: readonly number[];
  /** Names of the systems that are compared. */
  readonly pairs: readonly (readonly [first: string, second: string])[];
  /** What is allowed but probably not meant. */
  readonly warnings: readonly Problem[];
}

/** How to load an experiment. */
export interface LoadExperimentOptions {
  readonly signal: AbortSignal;
  /** Takes the place of the task set that the file names, such as a published set that lies elsewhere. */
  readonly tasks?: string | undefined;
  /** Names of models that topologies may ask; default: any. */
  readonly models?: readonly string[] | undefined;
  /** Default: the machine's file system. */
  readonly files?: FileAccess | undefined;
}

const mostBytes = 1_000_000;

/**
 * Reads an experiment, its topologies with their cards, and its task set; reports everything that is wrong with any of them together.
 *
 * @param path The experiment's YAML file, as the user wrote it.
 * @throws TroupeError `file_missing`, `file_unreadable`, and `file_invalid` with located problems.
 * @example
 * const { systems, tasks, seeds } = await loadExperiment("experiments/programs.yaml", { signal });
 */
export async function loadExperiment(path: string, options: LoadExperimentOptions): Promise<Experiment> {
  const reading = readYaml(experimentFile, { path, text: await readText(path, options.signal) });
  const file = reading.value;
  if (file === undefined) throw invalid(path, reading.problems);
  const loader = new Loader(reading, dirname(path), options);
  const systems = await loader.systems(file);
  const tasks = await loader.tasks(file);
  if (loader.problems.length > 0) throw invalid(path, loader.problems);
  return { path, file, systems, tasks, seeds: seedsOf(file), pairs: pairsOf(file, systems), warnings: loader.warnings };
}

async function readText(path: string, signal: AbortSignal): Promise<Uint8Array> {
  try {
    return await readRegularFile(path, mostBytes, signal);
  } catch (error) {
    signal.throwIfAborted();
    if (isTroupeError(error)) throw error;
    const { code, message } = error as NodeJS.ErrnoException;
    if (code === "ENOENT")
      throw new TroupeError("file_missing", `There is no file ${JSON.stringify(path)}. Check the path.`, { cause: error });
    throw new TroupeError("file_unreadable", `The experiment ${path} can't be read: ${message}.`, { cause: error });
  }
}

function invalid(path: string, problems: readonly Problem[]): TroupeError {
  return new TroupeError("file_invalid", problems.map(formatProblem).join("\n"), { problems, details: { file: path } });
}

/** Loads what an experiment names, and collects what is wrong with it. */
class Loader {
  readonly problems: Problem[] = [];
  readonly warnings: Problem[] = [];
  readonly #seen = new Set<string>();
  readonly #reading: YamlReading<ExperimentFile>;
  readonly #folder: string;
  readonly #options: LoadExperimentOptions & { readonly files: FileAccess };

  constructor(reading: YamlReading<ExperimentFile>, folder: string, options: LoadExperimentOptions) {
    this.#reading = reading;
    this.#folder = folder;
    this.#options = { ...options, files: options.files ?? nodeFiles };
  }

  async systems({ systems }: ExperimentFile): Promise<LoadedSystem[]> {
    const loaded: LoadedSystem[] = [];
    for (const [at, system] of systems.entries()) {
      const path = await findUpwards(system.topology, this.#folder, this.#options.files);
      if (path === undefined) {
        this.#report(
          ["systems", at, "topology"],
          `there is no topology ${JSON.stringify(system.topology)}`,
          "a path from the project folder",
        );
        continue;
      }
      try {
        const { systems: own, warnings } = await loadEntry({ entry: at, system }, path, this.#options);
        loaded.push(...own);
        this.#addAll(this.warnings, warnings);
      } catch (error) {
        if (error instanceof OverrideFault) this.#report(["systems", at, error.field], error.message);
        else if (isTroupeError(error) && error.problems.length > 0) this.#addAll(this.problems, error.problems);
        else this.#blame(["systems", at, "topology"], error);
      }
    }
    return loaded;
  }

  async tasks({ tasks: { set, tags, limit, split } }: ExperimentFile): Promise<Task[]> {
    const all = await this.#loadSet(this.#options.tasks ?? set);
    if (all === undefined) return [];
    const part = split === undefined ? { tasks: all } : splitTasks(all, split);
    if ("unknown" in part) {
      for (const { part: name, id } of part.unknown)
        this.#report(["tasks", "split", "parts", name], `the task set ${set} has no task ${JSON.stringify(id)}`);
      return [];
    }
    const tagged = part.tasks.filter((task) => tags.every((tag) => task.tags.includes(tag)));
    if (tagged.length === 0)
      this.#report(["tasks"], "no task is left to run", `a part of the set's ${all.length} tasks that has some with all of the tags`);
    return tagged.slice(0, limit);
  }

  async #loadSet(set: string): Promise<Task[] | undefined> {
    const { files, signal, tasks: given } = this.#options;
    const isBuiltin = builtinSets.some(({ name }) => name === set);
    const path = isBuiltin || given !== undefined ? set : await findUpwards(set, this.#folder, files);
    const names = builtinSets.map(({ name }) => name).join(", ");
    if (path === undefined) {
      const expected = `one of ${names}, or the path of a task set, here or in a folder above; or say where it lies: --tasks PATH`;
      this.#report(["tasks", "set"], `there is no task set ${JSON.stringify(set)}`, expected);
      return undefined;
    }
    try {
      return await loadTasks(path, { signal });
    } catch (error) {
      this.#blame(["tasks", "set"], error);
      return undefined;
    }
  }

  /** Whatever Troupe can say is a problem of the place that named it; everything else is a fault. */
  #blame(path: readonly (string | number)[], error: unknown): void {
    this.#options.signal.throwIfAborted();
    if (!isTroupeError(error)) throw error;
    this.#report(path, error.message.replace(/\.$/, ""));
  }

  #report(path: readonly (string | number)[], message: string, expected?: string): void {
    this.problems.push(this.#reading.source.problem({ path, message, ...(expected === undefined ? {} : { expected }) }));
  }

  /** Several systems of one topology share its problems. */
  #addAll(list: Problem[], problems: readonly Problem[]): void {
    for (const problem of problems) {
      const key = formatProblem(problem);
      if (!this.#seen.has(key)) list.push(problem);
      this.#seen.add(key);
    }
  }
}

function seedsOf({ seeds }: ExperimentFile): number[] {
  return Array.isArray(seeds) ? seeds : Array.from({ length: seeds.count }, (_, i) => seeds.from + i);
}

/** The folder with an experiment's results: named like the file, beside it. */
export function resultsFolderOf(path: string): string {
  const stem = path.replace(/\.ya?ml$/i, "");
  return stem === path ? `${path}.results` : stem;
}

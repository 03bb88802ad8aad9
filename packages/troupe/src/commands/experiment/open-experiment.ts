import { join, resolve } from "node:path";
import { type Experiment, ignoredWords, loadExperiment, resultsFolderOf, selectSystems, type SortedRows, sortRows } from "@troupe/lab";
import { modelNames, openResults, readProject, type ResultsFile, type TaskRow } from "@troupe/runtime";
import type { TroupeContext } from "../../context.ts";
import { shownPath } from "../shown-path.ts";

/** Flags that say where an experiment finds its parts. */
export interface PlaceFlags {
  readonly tasks?: string;
  readonly out?: string;
  readonly models?: string;
  readonly json: boolean;
}

/** Flags that say which part of an experiment is meant. */
export interface PartFlags {
  readonly only?: string;
  readonly sizes?: readonly number[];
  /** Only so many seeds, from the first. */
  readonly seeds?: number;
}

/** What is done and left of a part of an experiment. */
export function partOf({ experiment, sorted }: OpenExperiment, flags: PartFlags): Pick<SortedRows, "rows" | "left"> {
  const names = selectSystems(experiment, flags);
  const seeds = new Set(experiment.seeds.slice(0, flags.seeds));
  const isMeant = ({ topology, seed }: Pick<TaskRow, "topology" | "seed">): boolean => names.has(topology) && seeds.has(seed);
  return { rows: sorted.rows.filter(isMeant), left: sorted.left.filter(isMeant) };
}

/** An experiment, and what is done of it. */
export interface OpenExperiment {
  readonly experiment: Experiment;
  readonly sorted: SortedRows;
  readonly results: ResultsFile;
  /** Folder of the results, as messages show it. */
  readonly folder: string;
}

/** Name of the file with the rows in the folder of results. */
export const resultsName = "results.jsonl";

/**
 * Loads an experiment and the rows that are there, and says what of both is probably not meant.
 *
 * @throws TroupeError what is wrong with a file.
 */
export async function openExperiment(context: TroupeContext, flags: PlaceFlags, file: string): Promise<OpenExperiment> {
  const { stderr } = context.process;
  const project = await readProject(context.cwd, flags.models);
  const options = { signal: context.signal, tasks: flags.tasks, models: modelNames(project.file) };
  const experiment = await loadExperiment(shownPath(file, context), options);
  const folder = flags.out ?? resultsFolderOf(file);
  const results = await openResults(resolve(context.cwd, folder, resultsName));
  const sorted = sortRows(experiment, results.rows);
  const ignored = ignoredWords(sorted.ignored);
  if (ignored !== undefined) stderr.write(`${join(folder, resultsName)}: ${ignored}\n`);
  return { experiment, sorted, results, folder };
}

import type { TaskRow, TaskRun } from "@troupe/runtime";
import type { Experiment } from "./load-experiment.ts";
import type { LoadedSystem } from "./load-system.ts";

/** Why a row of a results file is left out. */
export type IgnoredReason = "system" | "task" | "seed" | "setup" | "twice";

/** The rows of a results file as an experiment sees them. */
export interface SortedRows {
  /** What belongs to the experiment, in the file's order. */
  readonly rows: TaskRow[];
  /** What is still to be run: all systems and seeds of one task after the other, because their prompts begin alike. */
  readonly left: readonly TaskRun[];
  /** How many rows are left out, by reason. */
  readonly ignored: ReadonlyMap<IgnoredReason, number>;
}

/**
 * Sorts rows into those that belong to an experiment and those that don't, because the file was changed or others wrote there too.
 * Of several rows of one run the first counts.
 */
export function sortRows(experiment: Experiment, all: readonly TaskRow[]): SortedRows {
  const systems = new Map(ranSystems(experiment).map((system) => [system.name, system]));
  const tasks = new Set(experiment.tasks.map(({ id }) => id));
  const seeds = new Set(experiment.seeds);
  const done = new Set<string>();
  const ignored = new Map<IgnoredReason, number>();
  const reasonOf = (row: TaskRow): IgnoredReason | undefined => {
    const system = systems.get(row.topology);
    if (system === undefined) return "system";
    if (!tasks.has(row.task)) return "task";
    if (!seeds.has(row.seed)) return "seed";
    if (row.setup !== system.setup) return "setup";
    return done.has(keyOf(row)) ? "twice" : undefined;
  };
  const rows = all.filter((row) => {
    const reason = reasonOf(row);
    if (reason === undefined) done.add(keyOf(row));
    else ignored.set(reason, (ignored.get(reason) ?? 0) + 1);
    return reason === undefined;
  });
  return { rows, left: runsOf(experiment).filter((run) => !done.has(keyOf({ ...run, task: run.task.id }))), ignored };
}

/** All runs of an experiment. */
function runsOf(experiment: Experiment): TaskRun[] {
  const runs = ranSystems(experiment).map(({ name, bundle, limits, setup }) => ({
    ...{ topology: name, bundle },
    ...(limits === undefined ? {} : { limits }),
    ...(setup === undefined ? {} : { setup }),
  }));
  const { tasks, seeds } = experiment;
  return tasks.flatMap((task) => seeds.flatMap((seed) => runs.map((run): TaskRun => ({ ...run, task, seed }))));
}

/** The systems that are run; others have the rows of one that is the same graph. */
export function ranSystems({ systems }: Pick<Experiment, "systems">): LoadedSystem[] {
  return systems.filter(({ name, runsAs }) => name === runsAs);
}

const keyOf = ({ topology, task, seed }: Pick<TaskRow, "topology" | "task" | "seed">): string => JSON.stringify([topology, task, seed]);

const words: Record<IgnoredReason, string> = {
  system: "of systems that it does not name",
  task: "of tasks that it does not use",
  seed: "of seeds that it does not use",
  setup: "of systems whose limits or overrides were others",
  twice: "of runs that are there already",
};

/** What to tell of the rows that are left out; undefined when none is. */
export function ignoredWords(ignored: SortedRows["ignored"]): string | undefined {
  const total = [...ignored.values()].reduce((sum, count) => sum + count, 0);
  if (total === 0) return undefined;
  const reasons = (Object.keys(words) as IgnoredReason[]).filter((reason) => ignored.has(reason));
  const parts = reasons.map((reason) => `${ignored.get(reason)} ${words[reason]}`).join(", ");
  return `${total} ${total === 1 ? "row does" : "rows do"} not belong to the experiment and ${total === 1 ? "is" : "are"} left out, but ${total === 1 ? "stays" : "stay"} in the file: ${parts}.`;
}

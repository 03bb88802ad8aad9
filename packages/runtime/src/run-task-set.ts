import type { Outcome, Task, Usage } from "@troupe/schema";
import { gradeProduct } from "@troupe/tasks";
import type { Ports } from "./ports.ts";
import { runTroupe, type RunTroupeOptions } from "./run-troupe.ts";

/** One task done once by one topology. */
export interface TaskRun {
  /** The topology, as it was named. */
  readonly topology: string;
  readonly task: Task;
  readonly seed: number;
}

/** What came of a {@link TaskRun}: one line of a results file. */
export interface TaskRow {
  readonly topology: string;
  readonly task: string;
  readonly seed: number;
  /** Undefined when the task has no grader. */
  readonly passed: boolean | undefined;
  /** One line for people. */
  readonly reason: string;
  readonly outcome: Outcome["kind"];
  /** Name of the run, for `troupe show`. */
  readonly run: string;
  readonly usage: Usage;
  readonly seconds: number;
}

export interface TaskSetOptions extends Pick<RunTroupeOptions, "cwd" | "project" | "limits"> {
  readonly ports: Ports;
  /** Runs at once, at least 1. */
  readonly jobs: number;
  /** Told when a task run starts. */
  readonly onStart?: (run: TaskRun) => void;
}

/**
 * Runs tasks and grades the products by their hidden tests; rows come in the order in which they are done.
 * A task run that fails gives a row that says so; what is wrong with the call ends the whole set.
 *
 * @throws TroupeError what {@link runTroupe} throws, and `cancelled`.
 */
export async function* runTaskSet(runs: readonly TaskRun[], options: TaskSetOptions, signal: AbortSignal): AsyncGenerator<TaskRow> {
  const queue = runs.values();
  const working = new Map<TaskRun, Promise<{ of: TaskRun; row: TaskRow }>>();
  const startNext = () => {
    const next = queue.next();
    if (next.done === true || signal.aborted) return;
    options.onStart?.(next.value);
    const row = runTask(next.value, options, signal);
    row.catch(() => undefined);
    working.set(
      next.value,
      row.then((done) => ({ of: next.value, row: done })),
    );
  };
  for (let i = 0; i < options.jobs; i++) startNext();
  try {
    while (working.size > 0) {
      const { of, row } = await Promise.race(working.values());
      working.delete(of);
      startNext();
      yield row;
    }
  } finally {
    await Promise.allSettled(working.values());
  }
  signal.throwIfAborted();
}

async function runTask({ topology, task, seed }: TaskRun, options: TaskSetOptions, signal: AbortSignal): Promise<TaskRow> {
  const { jobs: _jobs, onStart: _onStart, ...rest } = options;
  const { outcome, artifact, run, usage, seconds } = await runTroupe({ ...rest, topology, task, seed }, { signal }).result;
  signal.throwIfAborted();
  const row = { topology, task: task.id, seed, outcome: outcome.kind, run, usage, seconds };
  if (task.grader === undefined) return { ...row, passed: undefined, reason: `${outcome.kind}, not graded` };
  if (artifact === undefined) return { ...row, passed: false, reason: outcome.kind === "failed" ? outcome.error.message : outcome.kind };
  const { passed, reason } = await gradeProduct(task, artifact, { sandbox: options.ports.sandbox, signal });
  return { ...row, passed, reason };
}

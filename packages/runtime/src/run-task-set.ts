import {
  type ErrorCode,
  type Limits,
  mergeLimits,
  type Sandbox,
  type Task,
  type TopologyBundle,
  TroupeError,
  type WatchedEvent,
} from "@troupe/schema";
import { gradeProduct, measureSoftware } from "@troupe/tasks";
import type { Ports } from "./ports.ts";
import { productBytes } from "./product-bytes.ts";
import { runTroupe, type RunTroupeOptions, type TroupeResult } from "./run-troupe.ts";
import type { TaskRow } from "./task-row.ts";

/** One task done once by one topology. */
export interface TaskRun {
  /** The topology, as it was named. */
  readonly topology: string;
  /** What is run under that name; default: the topology file of that path. */
  readonly bundle?: TopologyBundle;
  /** Win over the limits of the set. */
  readonly limits?: Limits;
  /** Digest of what was changed of the topology, for the row. */
  readonly setup?: string;
  readonly task: Task;
  readonly seed: number;
}

/** How a task set is run. */
export interface TaskSetOptions extends Pick<RunTroupeOptions, "cwd" | "project" | "limits"> {
  readonly ports: Ports;
  /** Runs at once, at least 1. */
  readonly jobs: number;
  /** Whether the metrics of software are measured for the row, too. Default false. */
  readonly measure?: boolean;
  /** Told when a task run starts. */
  readonly onStart?: (run: TaskRun) => void;
  /** Told what a run's watchers see. */
  readonly onEvent?: (run: TaskRun, event: WatchedEvent) => void;
}

/**
 * Runs tasks and grades the products by their hidden tests; rows come in the order in which they are done.
 * The next run is asked for only after the last row was taken, so what gives the runs may end them by what came of the others.
 * A task run that fails gives a row that says so. What is wrong with the call or with the world, such as a model that can't be
 * reached, says nothing about the task and ends the whole set. However the set ends, also when its rows are not taken any more, nothing
 * of it goes on: runs that nobody would get the row of are interrupted.
 *
 * @throws TroupeError what {@link runTroupe} throws, the failure of the world, and `cancelled`; whatever a hook throws.
 */
export async function* runTaskSet(runs: Iterable<TaskRun>, options: TaskSetOptions, signal: AbortSignal): AsyncGenerator<TaskRow> {
  const queue = runs[Symbol.iterator]();
  const working = new Map<TaskRun, Promise<{ of: TaskRun; row: TaskRow }>>();
  const set = new AbortController();
  const stop = (): void => set.abort(signal.aborted ? signal.reason : new TroupeError("cancelled", "The set of runs has ended."));
  signal.addEventListener("abort", stop, { once: true });
  if (signal.aborted) stop();
  const startNext = () => {
    const next = queue.next();
    if (next.done === true || signal.aborted) return;
    options.onStart?.(next.value);
    const row = runTask(next.value, options, { signal: set.signal, stop });
    row.catch(() => undefined);
    working.set(
      next.value,
      row.then((done) => ({ of: next.value, row: done })),
    );
  };
  try {
    for (let i = 0; i < options.jobs; i++) startNext();
    while (working.size > 0) {
      const { of, row } = await Promise.race(working.values());
      working.delete(of);
      yield row;
      startNext();
    }
  } finally {
    signal.removeEventListener("abort", stop);
    stop();
    await Promise.allSettled(working.values());
  }
  signal.throwIfAborted();
}

/** What ends all runs of a set. */
interface SetSignal {
  readonly signal: AbortSignal;
  stop(): void;
}

/** Failures of the world, not of the agents: a row would blame the topology for them. */
const worldly: readonly string[] = [
  "model_unknown",
  "model_unavailable",
  "model_unreachable",
  "model_unauthorized",
  "model_not_found",
  "model_download_failed",
  "sandbox_unavailable",
  "sandbox_failed",
  "disk_full",
] satisfies ErrorCode[];

async function runTask(taskRun: TaskRun, options: TaskSetOptions, set: SetSignal): Promise<TaskRow> {
  const { signal } = set;
  const { topology, task, seed, setup } = taskRun;
  const { outcome, artifact, run, usage, seconds } = await finish(taskRun, options, set);
  signal.throwIfAborted();
  if (outcome.kind === "failed" && worldly.includes(outcome.error.code))
    throw new TroupeError(outcome.error.code as ErrorCode, outcome.error.message);
  const row = {
    ...{ topology, task: task.id, seed, ...(setup === undefined ? {} : { setup }) },
    ...{ outcome: outcome.kind, run, usage, ...(artifact === undefined ? {} : { bytes: productBytes(artifact, task) }), seconds },
  };
  const judged = { ...row, ...(await judge(task, { outcome, artifact }, options.ports.sandbox, signal)) };
  if (options.measure !== true) return judged;
  const { sandbox, models } = options.ports;
  return { ...judged, software: await measureSoftware(task, artifact, { sandbox, models, signal }) };
}

async function judge(
  task: Task,
  { outcome, artifact }: Pick<TroupeResult, "outcome" | "artifact">,
  sandbox: Sandbox,
  signal: AbortSignal,
): Promise<Pick<TaskRow, "passed" | "share" | "reason">> {
  if (task.grader === undefined) return { reason: `${outcome.kind}, not graded` };
  if (artifact === undefined) return { passed: false, reason: outcome.kind === "failed" ? outcome.error.message : outcome.kind };
  const { passed, share, reason } = await gradeProduct(task, artifact, { sandbox, signal });
  return { passed, ...(share === undefined ? {} : { share }), reason };
}

async function finish(taskRun: TaskRun, options: TaskSetOptions, { signal, stop }: SetSignal): Promise<TroupeResult> {
  const { jobs: _jobs, measure: _measure, onStart: _onStart, onEvent, ...rest } = options;
  const { topology, bundle, task, seed } = taskRun;
  const limits = mergeLimits(rest.limits, taskRun.limits);
  const run = runTroupe({ ...rest, topology: bundle ?? topology, task, seed, limits }, { signal });
  try {
    if (onEvent !== undefined) for await (const event of run) onEvent(taskRun, event);
  } catch (error) {
    // The run does not end because its watcher has failed.
    stop();
    await run.result.catch(() => undefined);
    throw error;
  }
  return run.result;
}

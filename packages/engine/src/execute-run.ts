import {
  type ActivationKind,
  type ActivationRunner,
  type Clock,
  type Director,
  type ModelClient,
  type RunStore,
  systemClock,
} from "@troupe/schema";
import type { EngineRun } from "./engine-run.ts";
import type { RunHeader } from "./run-view.ts";
import { Session } from "./session.ts";

/** What every run needs. */
export interface RunOptions {
  readonly store: RunStore;
  readonly models: ModelClient;
  /** Who does the work, by kind of activation. */
  readonly runners: Partial<Record<ActivationKind, ActivationRunner>>;
  /** Default: the machine's. */
  readonly clock?: Clock;
  /** Aborting it ends the run as `cancelled`: runners are stopped, waited for up to five seconds, and the run can be resumed. */
  readonly signal: AbortSignal;
}

/** What a new run needs. */
export interface ExecuteRunOptions extends RunOptions {
  readonly run: string;
  /** The run's first event, which says all there is to know about it. */
  readonly header: RunHeader;
  readonly director: Director;
}

/**
 * Executes a new run: asks the director which activations exist, runs each once its inputs are there, and logs everything
 * before anyone is told. The run begins in the next microtask.
 *
 * @throws TroupeError `run_held` when another session works on a run of this name, and what the store throws when it can't be taken.
 *
 * @example
 * const run = executeRun({ run: header.run, header, director, store, models, runners: { act }, signal });
 * for await (const event of run) console.log(event.kind);
 * const { outcome, usage } = await run.result;
 */
export function executeRun(options: ExecuteRunOptions): EngineRun {
  const { run, header, clock = systemClock, ...rest } = options;
  const lease = rest.store.acquire(run, clock.now());
  return new Session({ ...rest, clock }, { header: { ...header, run }, lease, limits: header.limits });
}

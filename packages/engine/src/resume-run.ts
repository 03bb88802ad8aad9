import { type Clock, type Director, type EventOf, type Limits, mergeLimits, type RunEvent, systemClock, TroupeError } from "@troupe/schema";
import { type Adoption, checkAdoption } from "./adoption.ts";
import type { EngineRun } from "./engine-run.ts";
import type { RunOptions } from "./execute-run.ts";
import { planResume } from "./resume-plan.ts";
import type { RunHeader } from "./run-view.ts";
import { Session } from "./session.ts";

/** What it takes to go on with a run. */
export interface ResumeRunOptions extends RunOptions {
  readonly run: string;
  /** A fresh director, or how to make one from the run's first event; it is told the log again before it goes on. */
  readonly director: Director | ((started: EventOf<"run.started">) => Director);
  /** What the log is told goes on with the run. */
  readonly version?: string;
  /** A changed topology to go on with; `director` is one of it. */
  readonly adopt?: Adoption | undefined;
  /** These win over the limits that the run had. */
  readonly limits?: Limits;
  /** What the caller has read of the log, from its beginning: only what came since is read again. */
  readonly known?: readonly RunEvent[];
}

/**
 * Goes on with a run that was interrupted, ran into a limit, failed, deadlocked or crashed. Finished activations and logged
 * answers are taken from the log; a failure that the director has not answered with other work, or as `handled`, is taken back and tried again.
 *
 * @throws TroupeError `run_held` (another session works on it), `run_unknown`, `run_not_resumable` (it is completed), `store_damaged`,
 * `topology_changed` (what is to be adopted does not fit the log).
 */
export function resumeRun(options: ResumeRunOptions): EngineRun {
  const { run, store, clock = systemClock, known = store.events(run) } = options;
  // Before anything is written, because a log that can't be read is left as it is.
  const lease = store.acquire(run, clock.now());
  try {
    // What is gone on with must be what is there now, when nobody else can write to it.
    const events = [...known, ...store.events(run, { from: known.length })];
    return startSession(options, clock, { lease, events });
  } catch (thrown) {
    store.release(run, lease);
    throw thrown;
  }
}

interface Held {
  readonly lease: string;
  readonly events: readonly RunEvent[];
}

function startSession(options: ResumeRunOptions, clock: Clock, { lease, events }: Held): Session {
  const { run, director, limits, adopt, version, known: _known, ...rest } = options;
  if (events.length === 0) throw new TroupeError("run_unknown", `There is no run ${run}. List the runs with \`troupe runs\`.`);
  const plan = planResume(events);
  if (adopt !== undefined) checkAdoption(adopt, plan, events, rest.store);
  const { seq: _seq, at: _at, ...header } = plan.started;
  const adopted = adopt && { bundle: adopt.bundle, agents: { ...adopt.agents } };
  const logged = { ...adopted, ...(version === undefined ? {} : { version }) };
  const made = typeof director === "function" ? director(plan.started) : director;
  return new Session(
    { ...rest, director: made, clock },
    {
      header: header satisfies RunHeader,
      lease,
      limits: mergeLimits(adopt?.limits ?? plan.state.limits, limits),
      resume: { plan, events, logged },
    },
  );
}

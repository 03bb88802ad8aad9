import { type ActivationKind, type ActivationRunner, type ModelClient, type RunStore, TroupeError } from "@troupe/schema";
import { type ReplayedActivation, replayActivation } from "./replay-activation.ts";
import type { ReplayedStep } from "./replay-director.ts";
import { type MakeDirector, replaySteps } from "./replay-steps.ts";
import { Recording } from "./recording.ts";
import { foldLog } from "./run-state.ts";

/** One part of a run that was done again, and whether it came out the same. */
export type ReplayedPart = ReplayedStep | ReplayedActivation;

/** What it takes to replay a run. */
export interface ReplayRunOptions {
  readonly run: string;
  readonly director: MakeDirector;
  readonly store: RunStore;
  /** Asked what is known of a model where the log doesn't say; never asked to answer. */
  readonly models: Pick<ModelClient, "info">;
  readonly runners: Partial<Record<ActivationKind, ActivationRunner>>;
  readonly signal: AbortSignal;
}

/**
 * Does a recorded run again, part by part, each from what the log has before it: the director is told every event and its answers are
 * compared; every activation that made an artifact runs with its logged inputs and its model's logged answers, and the artifacts are
 * compared. If all parts come out the same, so does the whole; if one does not, the others are still told apart from it.
 *
 * No model is asked, and no person: what an activation of kind `wait` was answered is taken as it is. Whatever else runners use, such as a sandbox, is used again, because the log keeps no more than a summary of it.
 * Nothing is written.
 *
 * @throws TroupeError `run_unknown`, `store_damaged`, and what the signal was aborted with.
 */
export async function* replayRun(options: ReplayRunOptions): AsyncGenerator<ReplayedPart> {
  const { run, store, runners, models, signal } = options;
  const events = store.events(run);
  const [started] = events;
  if (started === undefined) throw new TroupeError("run_unknown", `There is no run ${run}. List the runs with \`troupe runs\`.`);
  if (started.kind !== "run.started") throw new TroupeError("store_damaged", `The log of run ${run} does not begin with run.started.`);
  const { seq: _seq, at: _at, ...header } = started;
  yield* replaySteps({ header, started, director: options.director, store, events });
  const { rows } = foldLog(events);
  const recording = new Recording(events);
  const parts = { header, store, models, recording, outputOf: (id: number) => rows[id]?.output, signal };
  for (const { activation, state, output } of rows) {
    signal.throwIfAborted();
    if (state !== "done" || output === undefined) continue;
    if (activation.kind === "wait") {
      // Nobody is asked twice: what came from outside is taken as it is, as long as it is there.
      store.get(output);
      continue;
    }
    const runner = runners[activation.kind];
    if (runner === undefined)
      throw new TroupeError("internal", `Nothing runs activations of kind ${activation.kind}; give replayRun a runner for it.`);
    yield await replayActivation(parts, runner, activation, output);
  }
}

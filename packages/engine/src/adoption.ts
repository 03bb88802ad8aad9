import {
  type AgentCard,
  type ArtifactRef,
  type Director,
  type Limits,
  type LoggedStep,
  type RunEvent,
  type RunStore,
  TroupeError,
} from "@troupe/schema";
import { replayDirector } from "./replay-director.ts";
import type { ResumePlan } from "./resume-plan.ts";

/** A changed topology that a resume takes over: what is done stays as it is, what comes follows the change. */
export interface Adoption {
  /** The topology, as the log keeps it. */
  readonly bundle: ArtifactRef;
  /** The table of agents from now on; it must still have those that activations were started with. */
  readonly agents: Readonly<Record<string, AgentCard>>;
  /** These hold instead of those that the run had. */
  readonly limits: Limits;
  /** A director of the changed topology that is told the log on trial: it must have grown the run as it has grown so far. */
  readonly trial: Director;
  /** What of a step must be the same; the rest may follow the change. */
  readonly compared: (step: LoggedStep) => unknown;
}

/**
 * Sees to it that a changed topology would have led to the log so far: so the director that takes over knows what each activation of the
 * log is for.
 *
 * @throws TroupeError `topology_changed` with the first thing that would have gone another way.
 */
export function checkAdoption({ trial, compared }: Adoption, plan: ResumePlan, events: readonly RunEvent[], store: RunStore): void {
  const { seq: _seq, at: _at, ...header } = plan.started;
  for (const { same, reason } of replayDirector({ header, director: trial, store, events, told: plan, compared })) {
    if (same) continue;
    throw new TroupeError(
      "topology_changed",
      `The changed topology can't be taken over, because run ${plan.started.run} has already gone another way: told its log, ${reason}. Go on with --keep, or start a new run.`,
    );
  }
}

import type { Activation, Step } from "./activation.ts";
import type { Artifact, ArtifactRef } from "./artifact.ts";
import type { EventOf, Notice } from "./event.ts";
import type { Random } from "./random.ts";
import type { PublicTask } from "./task.ts";
import type { Usage } from "./usage.ts";

/** Where an activation is in its life. */
export type ActivationState = "waiting" | "ready" | "running" | "done" | "failed" | "cancelled";

/** A live handle on a run: every look-up is O(1), every read is synchronous. */
export interface RunView {
  readonly run: string;
  readonly seed: number;
  readonly task: PublicTask;
  /** The task's prompt as an artifact. */
  readonly taskRef: ArtifactRef;
  /** The earlier product that the run goes on from. */
  readonly from: ArtifactRef | undefined;
  /** The id that the first draft of the next step will get; the second gets one more, and so on. */
  readonly nextId: number;
  readonly usage: Usage;
  activation(id: number): Activation;
  state(id: number): ActivationState;
  /** The output of a done activation. */
  output(id: number): ArtifactRef | undefined;
  read(ref: ArtifactRef): Artifact;
  /** Keeps an artifact that follows from what the director was told, such as an item of a list; putting it again changes nothing. */
  put(artifact: Artifact): ArtifactRef;
  /** Random numbers keyed by the run's seed and a name of the caller's choice: the same on replay. */
  random(key: string): Random;
}

/** What a director is told when an activation ended, in any way, after that is in the log. */
export type Settled = Pick<EventOf<"activation.settled">, "activation" | "state" | "artifact" | "error">;

/**
 * Decides which activations exist. It does no I/O and never waits; whatever is slow is an activation.
 * Every method is a pure function of what it was told before, so a run can be replayed from its log.
 */
export interface Director {
  start(view: RunView): Step;
  /** Once per activation that ended, in any way. */
  settled(done: Settled, view: RunView): Step;
  /** Something was pushed from outside. */
  notice(notice: Notice, view: RunView): Step;
  /** Nothing is ready, running or waited for; the strings say who waits for what. */
  idle(view: RunView): Step | { deadlocked: readonly string[] };
  /** The best artifact so far, asked for when a limit or an interruption ends the run. */
  best(view: RunView): ArtifactRef | undefined;
}

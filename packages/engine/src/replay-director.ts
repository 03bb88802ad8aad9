import { canonicalJson, type Director, type EventOf, type LoggedStep, type RunEvent, type RunStore, toTroupeError } from "@troupe/schema";
import { askDirector, isTold } from "./direction.ts";
import { nameArtifact } from "./name-artifact.ts";
import { isIdleStep, toLoggedStep } from "./logged-step.ts";
import type { ResumePlan } from "./resume-plan.ts";
import { LiveRunState } from "./run-state.ts";
import { createRunView, type RunHeader } from "./run-view.ts";

/** What the director answers when it is told an event of the log again. */
export interface ReplayedStep {
  readonly kind: "step";
  /** Sequence number of the event; of the step itself when nothing went on. */
  readonly seq: number;
  readonly same: boolean;
  /** What differs. */
  readonly reason: string | undefined;
}

/** What a director is told again. */
export interface DirectorReplay {
  readonly header: RunHeader;
  readonly director: Director;
  readonly store: RunStore;
  readonly events: readonly RunEvent[];
  readonly told: Pick<ResumePlan, "voided" | "steps" | "answeredUpTo">;
  /** What of a step is compared; default: all of it. */
  readonly compared?: (step: LoggedStep) => unknown;
}

/** Tells a director the log again, each event with the state up to it, and compares its answers; the logged ones take effect. */
export function* replayDirector({ header, director, store, events, told, compared = whole }: DirectorReplay): Generator<ReplayedStep> {
  const state = new LiveRunState();
  // A replay writes nothing: what the director keeps again is in the store already.
  const view = createRunView(header, state, { get: (ref) => store.get(ref), put: (artifact) => nameArtifact(artifact).ref });

  function compare(seq: number, logged: LoggedStep | undefined, answer: () => LoggedStep): ReplayedStep {
    const reason = differenceOf(logged, answer, compared);
    if (logged !== undefined && logged.finish === undefined) state.applyStep(logged);
    return { kind: "step", seq, same: reason === undefined, reason };
  }

  for (const event of events) {
    if (told.voided.has(event.seq)) continue;
    if (event.kind === "step") {
      if (event.cause.kind !== "idle") continue;
      yield compare(event.seq, event.step, () => {
        const answer = director.idle(view);
        return toLoggedStep("deadlocked" in answer ? {} : answer, state.rows);
      });
      continue;
    }
    state.apply(event);
    if (!isTold(event)) continue;
    const logged = told.steps.get(event.seq)?.step;
    const replayed = compare(event.seq, logged, () => toLoggedStep(askDirector({ director, view }, event), state.rows));
    // What it would have answered after the last thing that was kept of it, nobody knows.
    if (logged !== undefined || event.seq <= told.answeredUpTo) yield replayed;
  }
}

function whole(step: LoggedStep): unknown {
  return step;
}

function differenceOf(
  logged: LoggedStep | undefined,
  answer: () => LoggedStep,
  compared: (step: LoggedStep) => unknown,
): string | undefined {
  let step: LoggedStep;
  try {
    step = answer();
  } catch (thrown) {
    return `the director fails: ${toTroupeError(thrown).message}`;
  }
  // Logs from before directors said that they have handled a failure are as good.
  if (logged === undefined) return isIdleStep(step) ? undefined : `it answers with ${wordsOf(step)} instead of nothing`;
  if (canonicalJson(plain(compared(step))) === canonicalJson(plain(compared(logged)))) return undefined;
  return `it answers with ${wordsOf(step)} instead of ${wordsOf(logged)}`;
}

/** As the log keeps it: without what JSON can't hold. */
function plain(step: unknown): unknown {
  return JSON.parse(JSON.stringify(step));
}

function wordsOf({ start, cancel, finish }: EventOf<"step">["step"]): string {
  if (finish !== undefined)
    return `the end (${finish.kind}${finish.artifact === undefined ? "" : ` with ${finish.artifact.hash.slice(0, 12)}`})`;
  const words = [...start.map(({ id, label }) => `#${id} ${label}`), ...cancel.map((id) => `a cancelled #${id}`)];
  return words.length === 0 ? "nothing" : words.join(", ");
}

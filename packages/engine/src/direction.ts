import {
  type ArtifactRef,
  type Director,
  type EventBody,
  type EventOf,
  type LoggedStep,
  type Outcome,
  type RunEvent,
  type RunView,
  type Step,
  TroupeError,
  toTroupeError,
} from "@troupe/schema";
import { engineTopic } from "./engine-topic.ts";
import { isEmptyStep, toLoggedStep } from "./logged-step.ts";
import type { ResumePlan } from "./resume-plan.ts";
import type { LiveRunState } from "./run-state.ts";
import { toFailure } from "./to-failure.ts";

type Cause = EventOf<"step">["cause"];

/** The events of a log that directors are told of. */
export type ToldEvent = EventOf<"run.started"> | EventOf<"activation.settled"> | EventOf<"notice">;

/** What a {@link Direction} is made of. */
export interface DirectionParts {
  readonly director: Director;
  readonly view: RunView;
  readonly state: LiveRunState;
  /** Whether the run is ending, so that nobody is told anything more. */
  readonly over: () => boolean;
  readonly cancel: (id: number) => void;
  readonly finish: (outcome: Outcome) => void;
}

/**
 * The line to the director: tells it what is in the log, and takes its steps.
 *
 * It is told event by event, each with the state that the log has up to that event and with the steps it has answered so far,
 * whatever was committed in the same batch. So a replay can tell it exactly the same, and empty answers need no event.
 */
export class Direction {
  readonly #parts: DirectionParts;
  #steps: EventBody[] = [];

  constructor(parts: DirectionParts) {
    this.#parts = parts;
  }

  /** Tells the director of an event that has just come into the log. */
  tell(event: RunEvent): void {
    if (!isTold(event) || this.#parts.over()) return;
    this.#guard(phaseOf, event, () => this.#take(causeOf(event), askDirector(this.#parts, event)));
  }

  /** Tells the director that nothing goes on; false when it has nothing to add. */
  idle(): boolean {
    const { director, view, finish } = this.#parts;
    let goesOn = false;
    this.#guard(idlePhase, undefined, () => {
      const answer = director.idle(view);
      if ("deadlocked" in answer) {
        finish({ kind: "deadlocked", waiting: [...answer.deadlocked] });
      } else {
        goesOn = this.#take({ kind: "idle" }, answer);
        if (!goesOn) finish({ kind: "deadlocked", waiting: ["The director neither starts anything nor finishes the run."] });
      }
    });
    return goesOn;
  }

  /** Tells the director of a logged event again; the logged step wins over what it answers now. */
  retell(event: RunEvent, plan: ResumePlan): void {
    if (this.#parts.over()) return;
    if (event.kind === "step") {
      if (event.cause.kind === "idle" && event.step.finish === undefined) this.#retellIdle(event.step);
      return;
    }
    if (!isTold(event)) return;
    const logged = plan.steps.get(event.seq)?.step;
    this.#guard(phaseOf, event, () => {
      const answer = askDirector(this.#parts, event);
      if (logged !== undefined) this.#repeat(logged);
      else if (event.seq > plan.answeredUpTo) this.#take(causeOf(event), answer);
    });
  }

  /** The steps that are not in the log yet; they are the caller's now. */
  takeSteps(): EventBody[] {
    const steps = this.#steps;
    if (steps.length > 0) this.#steps = [];
    return steps;
  }

  /** The best artifact so far; a director that fails here has none. */
  best(): ArtifactRef | undefined {
    try {
      return this.#parts.director.best(this.#parts.view);
    } catch {
      return undefined;
    }
  }

  #take(cause: Cause, answer: Step): boolean {
    const { state, cancel, finish } = this.#parts;
    const step = toLoggedStep(answer, state.rows);
    if (isEmptyStep(step)) return false;
    state.applyStep(step);
    this.#steps.push({ kind: "step", cause, step });
    for (const id of step.cancel) cancel(id);
    if (step.finish !== undefined) finish(step.finish);
    return true;
  }

  #retellIdle(step: LoggedStep): void {
    this.#guard(idlePhase, undefined, () => {
      this.#parts.director.idle(this.#parts.view);
      this.#repeat(step);
    });
  }

  /** A finish other than the completed one was taken back by the resume. */
  #repeat(step: LoggedStep): void {
    if (step.finish === undefined) this.#parts.state.applyStep(step);
    else if (step.finish.kind === "completed") this.#parts.finish(step.finish);
  }

  #guard<Told>(phase: (told: Told) => string, told: Told, talk: () => void): void {
    try {
      talk();
    } catch (thrown) {
      const { message } = toTroupeError(thrown);
      const error = new TroupeError("internal", `The director failed when it was told ${phase(told)}: ${message}`, { cause: thrown });
      this.#parts.finish({ kind: "failed", error: toFailure(error) });
    }
  }
}

/** Tells a director of one event. */
export function askDirector({ director, view }: Pick<DirectionParts, "director" | "view">, event: ToldEvent): Step {
  switch (event.kind) {
    case "run.started":
      return director.start(view);
    case "activation.settled":
      return director.settled(event, view);
    case "notice":
      return director.notice(event.notice, view);
  }
}

/** Whether directors are told of an event. */
export function isTold(event: RunEvent): event is ToldEvent {
  if (event.kind === "notice") return !event.notice.topic.startsWith(engineTopic);
  return event.kind === "activation.settled" || event.kind === "run.started";
}

function causeOf(event: ToldEvent): Cause {
  switch (event.kind) {
    case "run.started":
      return { kind: "start" };
    case "activation.settled":
      return { kind: "settled", activation: event.activation };
    case "notice":
      return { kind: "notice", seq: event.seq };
  }
}

function phaseOf(event: ToldEvent): string {
  switch (event.kind) {
    case "run.started":
      return "to start";
    case "activation.settled":
      return `that activation ${event.activation} is ${event.state}`;
    case "notice":
      return `of the notice ${event.notice.topic}`;
  }
}

function idlePhase(): string {
  return "that nothing goes on";
}

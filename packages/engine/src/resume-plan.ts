import { type ArtifactRef, type EventBody, type EventOf, type Outcome, type RunEvent, TroupeError } from "@troupe/schema";
import type { FindAnswer } from "./metered-chat.ts";
import { foldLog, type RunState } from "./run-state.ts";

/** What a log says about how to go on with its run. */
export interface ResumePlan {
  readonly started: EventOf<"run.started">;
  readonly state: RunState;
  /** Failed activations, and those cancelled because of them, that run again. */
  readonly redo: readonly number[];
  /** Sequence numbers of `activation.settled` events that a resume has taken back. */
  readonly voided: ReadonlySet<number>;
  /** Logged steps by the sequence number of the event that caused them; those of `idle` by their own. */
  readonly steps: ReadonlyMap<number, EventOf<"step">>;
  /** The director has been told every event up to this sequence number; where no step is logged, its answer was empty. */
  readonly answeredUpTo: number;
  readonly findAnswer: FindAnswer;
  /** Settles the calls that were in flight when the last session ended: each counts as spent. */
  readonly lostCalls: readonly EventBody[];
}

/**
 * Reads from a log how its run goes on.
 *
 * @throws TroupeError `run_not_resumable` when the run is completed.
 */
export function planResume(events: readonly RunEvent[]): ResumePlan {
  const [started] = events;
  if (started?.kind !== "run.started") throw new TroupeError("store_damaged", "The run's log does not begin with run.started.");
  const state = foldLog(events);
  const { outcome } = state;
  if (outcome?.kind === "completed") {
    throw new TroupeError("run_not_resumable", `Run ${started.run} is completed. Start a new run, perhaps with --from ${started.run}.`);
  }
  const told = readTold(events);
  const redo = endedBadly(outcome ?? told.finish) ? findRedo(state, told) : [];
  for (const id of redo) told.voided.add(told.settledAt.get(id) as number);
  return { started, state, redo, ...told, findAnswer: indexAnswers(events, state), lostCalls: settleOpenCalls(state) };
}

/** What directors were told, and what they answered. */
export interface Told {
  /** Sequence numbers of `activation.settled` events that a resume has taken back. */
  readonly voided: Set<number>;
  /** Logged steps by the sequence number of the event that caused them; those of `idle` by their own. */
  readonly steps: Map<number, EventOf<"step">>;
  readonly settledAt: Map<number, number>;
  answeredUpTo: number;
  finish: Outcome | undefined;
}

/** Reads from a log what directors were told and answered. */
export function readTold(events: readonly RunEvent[]): Told {
  const told: Told = { voided: new Set(), steps: new Map(), settledAt: new Map(), answeredUpTo: -1, finish: undefined };
  for (const event of events) {
    if (event.kind === "activation.settled") told.settledAt.set(event.activation, event.seq);
    if (event.kind === "run.resumed") {
      for (const id of event.redo) told.voided.add(told.settledAt.get(id) as number);
      told.finish = undefined;
    }
    if (event.kind !== "step") continue;
    const seq = causeSeq(event, told.settledAt);
    told.steps.set(seq, event);
    told.answeredUpTo = Math.max(told.answeredUpTo, seq);
    told.finish = event.step.finish;
  }
  return told;
}

function causeSeq({ cause, seq }: EventOf<"step">, settledAt: ReadonlyMap<number, number>): number {
  switch (cause.kind) {
    case "start":
      return 0;
    case "settled":
      return settledAt.get(cause.activation) as number;
    case "notice":
      return cause.seq;
    case "idle":
      return seq;
  }
}

function endedBadly(outcome: Outcome | undefined): boolean {
  return outcome?.kind === "failed" || outcome?.kind === "deadlocked";
}

/** A failure is taken back unless the director has answered it with other work, or said that it goes on without. */
function findRedo(state: RunState, told: Told): number[] {
  const redo = new Set<number>();
  for (const { state: ended, activation } of state.rows) {
    if (ended !== "failed") continue;
    const lost = withCancelledChildren(state, activation.id);
    if (!lost.some((id) => wasHandled(told, id))) for (const id of lost) redo.add(id);
  }
  return [...redo].sort((a, b) => a - b);
}

function withCancelledChildren({ rows }: RunState, root: number): number[] {
  const found = new Set([root]);
  for (const id of found) {
    for (const child of rows[id]?.children ?? []) {
      const row = rows[child];
      if (row?.state === "cancelled" && !row.cancelled) found.add(child);
    }
  }
  return [...found];
}

function wasHandled({ steps, settledAt }: Told, id: number): boolean {
  const step = steps.get(settledAt.get(id) as number)?.step;
  return step !== undefined && (step.handled === true || step.start.length > 0 || step.cancel.length > 0);
}

function indexAnswers(events: readonly RunEvent[], { rows }: RunState): FindAnswer {
  const answers = new Map<string, ArtifactRef>();
  const key = (of: Parameters<FindAnswer>[0]): string => `${of.activation}/${of.attempt}/${of.call}/${of.request}`;
  for (const event of events) {
    // Only done activations never ask again: a redone one gets a new attempt, and with it new calls.
    if (event.kind !== "call.settled" || event.answer === undefined || rows[event.activation]?.state === "done") continue;
    answers.set(key(event), event.answer);
  }
  return (call) => answers.get(key(call));
}

/** Settles the calls that were in flight when a session ended: each counts as spent. */
export function settleOpenCalls({ openCalls }: RunState): EventBody[] {
  return [...openCalls.values()].map(({ activation, attempt, call, model, request, reserved }) => ({
    kind: "call.settled",
    ...{ activation, attempt, call, model, request },
    endpoint: "",
    error: { code: "cancelled", message: "The call was in flight when its session ended.", retryable: true },
    usage: { calls: 1, inputTokens: Math.ceil(reserved.tokens), outputTokens: 0, usd: reserved.usd, seconds: 0, estimated: true },
  }));
}

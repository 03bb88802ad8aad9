import {
  type ActivationState,
  type AgentCard,
  type ArtifactRef,
  addUsage,
  type EventOf,
  type Limits,
  type LoggedStep,
  noUsage,
  type Outcome,
  type RunEvent,
  type Usage,
} from "@troupe/schema";
import { type ActivationRow, ActivationTable, isSettled, type TableHooks } from "./activation-table.ts";

/** Everything that a run's log says, folded; {@link createRunState} makes one and `apply` feeds it. */
export interface RunState {
  /** The first event of the log. */
  readonly started: EventOf<"run.started"> | undefined;
  /** The limits that hold now: those of the last session. */
  readonly limits: Limits;
  /** The topology that holds now: the one the run began with, or the last changed one that a resume took over. */
  readonly bundle: ArtifactRef | undefined;
  /** The table of agents that holds now. */
  readonly agents: Readonly<Record<string, AgentCard>>;
  /** Activations by id. */
  readonly rows: readonly ActivationRow[];
  /** Ids of the activations that run. */
  readonly running: ReadonlySet<number>;
  /** How many activations are in each state. */
  readonly counts: Readonly<Record<ActivationState, number>>;
  /** Calls that were started and not settled, by {@link callKey}. */
  readonly openCalls: ReadonlyMap<string, EventOf<"call.started">>;
  /** What all settled calls cost, over all sessions. */
  readonly usage: Usage;
  /** The same by agent; activations without one count under their kind. */
  readonly usageByAgent: ReadonlyMap<string, Usage>;
  /** The same by the model's name in troupe.yaml. */
  readonly usageByModel: ReadonlyMap<string, Usage>;
  /** How the last session ended; absent while it goes on, or after a crash. */
  readonly outcome: Outcome | undefined;
  /** How often the run was started or resumed. */
  readonly sessions: number;
  /** Milliseconds since 1970 when the last session began. */
  readonly sessionStartedAt: number;
  /** Seconds of the sessions before the last one, without those in which the run was suspended. */
  readonly earlierSeconds: number;
  /**
   * Milliseconds since 1970 since when the run is suspended: all that runs waits for a person, and nothing else could run.
   * Absent while work goes on, and once the session has ended: being suspended is a state, not an end.
   */
  readonly suspendedSince: number | undefined;
  /** Milliseconds since 1970 of the newest event. */
  readonly lastAt: number;
  /**
   * Seconds that count for `limits.seconds`: those of all sessions, without those in which the run was suspended.
   *
   * @param now milliseconds since 1970; only matters while the session goes on.
   */
  elapsedSeconds(now: number): number;
  /** Adds one event; the events of a log in order. O(1), apart from the edges and activations that the event names. */
  apply(event: RunEvent): void;
}

/** Names a call within its run. */
export function callKey(of: { activation: number; attempt: number; call: number }): string {
  return `${of.activation}/${of.attempt}/${of.call}`;
}

/** An empty state; feed it a log with `apply`. */
export function createRunState(): RunState {
  return new LiveRunState();
}

/**
 * The state of a run after the events of its log.
 *
 * @example
 * const { rows, usage, outcome } = foldLog(store.events(store.resolve("last")));
 */
export function foldLog(events: Iterable<RunEvent>): RunState {
  const state = new LiveRunState();
  for (const event of events) state.apply(event);
  return state;
}

/** The one reducer: used by the engine, by replay, by `troupe show` and by the live view. */
export class LiveRunState implements RunState {
  readonly #table = new ActivationTable();
  readonly openCalls = new Map<string, EventOf<"call.started">>();
  readonly usageByAgent = new Map<string, Usage>();
  readonly usageByModel = new Map<string, Usage>();
  readonly rows: readonly ActivationRow[] = this.#table.rows;
  readonly running: ReadonlySet<number> = this.#table.running;
  readonly counts: Readonly<Record<ActivationState, number>> = this.#table.counts;
  started: EventOf<"run.started"> | undefined;
  limits: Limits = {};
  bundle: ArtifactRef | undefined;
  agents: Readonly<Record<string, AgentCard>> = {};
  usage: Usage = noUsage;
  outcome: Outcome | undefined;
  sessions = 0;
  sessionStartedAt = 0;
  earlierSeconds = 0;
  suspendedSince: number | undefined;
  lastAt = 0;
  /** Of this session, up to the end of the last suspension. */
  #suspendedSeconds = 0;

  /** From now on these are told of changes. */
  watch(hooks: TableHooks): void {
    this.#table.hooks = hooks;
  }

  row(id: number): ActivationRow {
    return this.#table.row(id);
  }

  apply(event: RunEvent): void {
    switch (event.kind) {
      case "run.started":
        this.started = event;
        this.#beginSession(event);
        break;
      case "run.resumed":
        this.#resume(event);
        break;
      case "run.ended":
        this.outcome = event.outcome;
        this.#endSuspension(event.at);
        this.earlierSeconds += Math.max(0, event.seconds - this.#suspendedSeconds);
        break;
      case "step":
        this.applyStep(event.step);
        break;
      case "activation.began":
        this.#table.began(event);
        break;
      case "activation.retried":
        this.#table.retried(event);
        break;
      case "activation.settled":
        this.#table.settled(event);
        break;
      case "call.started":
        this.openCalls.set(callKey(event), event);
        break;
      case "call.settled":
        this.#settleCall(event);
        break;
      case "tool.used":
      case "notice":
        break;
    }
    if (this.outcome === undefined && this.#table.suspended) this.suspendedSince ??= event.at;
    else this.#endSuspension(event.at);
    this.lastAt = event.at;
  }

  elapsedSeconds(now: number): number {
    if (this.outcome !== undefined) return this.earlierSeconds;
    const session = Math.max(0, (this.suspendedSince ?? now) - this.sessionStartedAt) / 1000;
    return this.earlierSeconds + Math.max(0, session - this.#suspendedSeconds);
  }

  /** What a `step` event does; cancelled activations settle by events of their own. */
  applyStep(step: LoggedStep): void {
    for (const activation of step.start) this.#table.start(activation);
    for (const id of step.cancel) {
      const row = this.#table.row(id);
      if (!isSettled(row.state)) row.cancelled = true;
    }
  }

  #beginSession(event: EventOf<"run.started"> | EventOf<"run.resumed">): void {
    this.limits = event.limits;
    this.bundle = event.bundle ?? this.bundle;
    this.agents = event.agents ?? this.agents;
    this.sessions++;
    this.sessionStartedAt = event.at;
    this.#suspendedSeconds = 0;
    this.outcome = undefined;
  }

  #endSuspension(at: number): void {
    if (this.suspendedSince === undefined) return;
    this.#suspendedSeconds += Math.max(0, at - this.suspendedSince) / 1000;
    this.suspendedSince = undefined;
  }

  #resume(event: EventOf<"run.resumed">): void {
    // After a crash nothing says how long the session was, or how it ended.
    if (this.outcome === undefined) this.earlierSeconds = this.elapsedSeconds(this.lastAt);
    this.#endSuspension(this.lastAt);
    this.#table.interrupt();
    for (const id of event.redo) this.#table.redo(id);
    this.#beginSession(event);
  }

  #settleCall(event: EventOf<"call.settled">): void {
    this.openCalls.delete(callKey(event));
    this.usage = addUsage(this.usage, event.usage);
    this.#table.spent(event.activation, event.usage);
    const { agent, kind } = this.#table.row(event.activation).activation;
    const name = agent ?? kind;
    this.usageByAgent.set(name, addUsage(this.usageByAgent.get(name) ?? noUsage, event.usage));
    this.usageByModel.set(event.model, addUsage(this.usageByModel.get(event.model) ?? noUsage, event.usage));
  }
}

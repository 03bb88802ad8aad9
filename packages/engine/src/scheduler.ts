import {
  type Artifact,
  type Clock,
  type EventBody,
  type EventOf,
  type Limits,
  parentsOf,
  TroupeError,
  toTroupeError,
} from "@troupe/schema";
import { isSettled } from "./activation-table.ts";
import type { Alarms } from "./alarms.ts";
import { Attempt, Attempts, type StopCause } from "./attempts.ts";
import type { Journal } from "./journal.ts";
import { retryDelaySeconds } from "./retry-delay.ts";
import type { LiveRunState } from "./run-state.ts";
import { SlotQueue } from "./slot-queue.ts";
import { toFailure } from "./to-failure.ts";

const defaultParallel = 4;
const defaultSeconds = 600;
const defaultAttempts = 3;

type Began = Extract<EventBody, { kind: "activation.began" }>;

/** What a {@link Scheduler} is made of. */
export interface SchedulerParts {
  readonly state: LiveRunState;
  readonly journal: Journal;
  readonly alarms: Alarms;
  readonly clock: Clock;
  readonly limits: Limits;
  readonly seed: number;
  /** Does the work of one attempt. */
  readonly work: (attempt: Attempt) => Promise<Artifact>;
}

/** Runs what is ready, up to the limit, until each activation has settled once. Every change goes through the journal. */
export class Scheduler {
  readonly #parts: SchedulerParts;
  readonly #queue: SlotQueue;
  /** Ready ones that wait for somebody outside: they hold no slot, so none has to be chosen. */
  #readyWaits: number[] = [];
  readonly #attempts: Attempts;
  /** Attempts that wait for somebody outside: without a slot, and without a time limit. */
  readonly #waits: Attempts;
  /** Settled, but not in the log yet. */
  readonly #settling = new Set<number>();
  /** Between two attempts; these hold no slot. */
  readonly #sleeping = new Set<number>();
  #picked: number[] = [];
  #stopped = false;

  constructor(parts: SchedulerParts) {
    this.#parts = parts;
    const { clock, alarms, limits, state } = parts;
    this.#queue = new SlotQueue({ limits, agents: () => state.agents, activation: (id) => state.row(id).activation });
    const ends = this.#ends();
    const ended = (attempt: Attempt): void => this.#queue.giveBack(attempt.activation);
    this.#attempts = new Attempts({ clock, alarms, seconds: limits.activationSeconds ?? defaultSeconds, ends: { ...ends, ended } });
    this.#waits = new Attempts({ clock, alarms, seconds: Number.POSITIVE_INFINITY, ends: { ...ends, ended: () => undefined } });
  }

  /** How many activations hold a slot. */
  get running(): number {
    return this.#attempts.size;
  }

  /** Whether nothing runs, and nothing will run by itself. */
  get quiet(): boolean {
    const ready = this.#queue.size + this.#readyWaits.length;
    return this.#attempts.size === 0 && this.#waits.size === 0 && this.#sleeping.size === 0 && ready === 0;
  }

  /** Takes over a state: from now on what becomes ready is queued, beginning with what is ready. */
  adopt(): void {
    const { state } = this.#parts;
    for (const { activation, state: now, cancelled, missing } of state.rows) {
      if (isSettled(now)) continue;
      if (cancelled) this.cancel(activation.id);
      else if (missing === 0) this.#enqueue(activation.id);
      else if (parentsOf(activation).some((id) => isLost(state.row(id).state))) this.#cancelTree(activation.id);
    }
    state.watch({
      ready: (id) => this.#enqueue(id),
      doomed: (id) => this.#cancelTree(id),
    });
  }

  /** Chooses what runs next; {@link launch} starts it once these events are in the log. */
  pick(): Began[] {
    if (this.#stopped) return [];
    const began: Began[] = [];
    const waits = this.#readyWaits;
    if (waits.length > 0) this.#readyWaits = [];
    for (const id of waits) if (this.#isWanted(id)) this.#begin(id, began);
    const parallel = this.#parts.limits.parallel ?? defaultParallel;
    for (let free = parallel - this.#attempts.size; free > 0; free--) {
      const id = this.#queue.take(this.#isWanted);
      if (id === undefined) break;
      this.#begin(id, began);
    }
    return began;
  }

  readonly #isWanted = (id: number): boolean => this.#parts.state.row(id).state === "ready" && !this.#settling.has(id);

  #begin(id: number, began: Began[]): void {
    this.#picked.push(id);
    began.push({ kind: "activation.began", activation: id, attempt: this.#parts.state.row(id).attempt });
  }

  launch(): void {
    const picked = this.#picked;
    if (picked.length === 0) return;
    this.#picked = [];
    const { state, clock, work } = this.#parts;
    const now = clock.now();
    for (const id of picked) {
      if (this.#stopped) break;
      const { activation, attempt: number } = state.row(id);
      const attempt = new Attempt(id, number, now);
      const attempts = activation.kind === "wait" ? this.#waits : this.#attempts;
      attempts.start(attempt, () => work(attempt));
    }
  }

  /** The director cancels: what runs is stopped first. */
  cancel(id: number): void {
    if (this.#attempts.stop(id, "cancelled") || this.#waits.stop(id, "cancelled")) return;
    this.#settle(id, { state: "cancelled", error: { code: "cancelled", message: "The director cancelled it.", retryable: false } });
  }

  /** An `activation.settled` is in the log. */
  settled(id: number): void {
    this.#settling.delete(id);
  }

  /** An `activation.retried` is in the log: the next attempt begins after the delay. */
  retried({ activation: id, delaySeconds }: EventOf<"activation.retried">): void {
    const { alarms, journal } = this.#parts;
    if (this.#settling.has(id)) return;
    this.#sleeping.add(id);
    alarms.after(delaySeconds * 1000, () => {
      if (!this.#sleeping.delete(id)) return;
      this.#enqueue(id);
      journal.schedule();
    });
  }

  /** Starts nothing more. */
  pause(): void {
    this.#stopped = true;
  }

  /** Stops what runs; resolves, at most five seconds later, to the activations that did not end. */
  async stopAll(): Promise<number[]> {
    this.#stopped = true;
    const givenUp = await Promise.all([this.#attempts.stopAll(), this.#waits.stopAll()]);
    return givenUp.flat();
  }

  #enqueue(id: number): void {
    if (this.#parts.state.row(id).activation.kind === "wait") this.#readyWaits.push(id);
    else this.#queue.push(id);
  }

  #ends() {
    return {
      done: (attempt: Attempt, artifact: Artifact) => this.#done(attempt, artifact),
      failed: (attempt: Attempt, thrown: unknown) => this.#failed(attempt, toTroupeError(thrown)),
      stopped: (attempt: Attempt, cause: StopCause) => {
        if (cause === "timeout") this.#failed(attempt, attempt.stopped ?? toTroupeError(cause));
        if (cause === "cancelled") this.cancel(attempt.activation);
      },
    };
  }

  #done(attempt: Attempt, artifact: Artifact): void {
    if (!isArtifact(artifact)) {
      this.#failed(attempt, new TroupeError("internal", `The runner of activation ${attempt.activation} returned no artifact.`));
      return;
    }
    try {
      this.#settle(attempt.activation, { state: "done", artifact: this.#parts.journal.put(artifact) });
    } catch {
      // The journal is broken and has ended the run; unsettled activations run again on a resume.
    }
  }

  #failed(attempt: Attempt, error: TroupeError): void {
    const { journal, limits, seed, state } = this.#parts;
    const { activation, number } = attempt;
    const { failures } = state.row(activation);
    if (!error.retryable || failures + 1 >= (limits.attempts ?? defaultAttempts)) {
      this.#settle(activation, { state: "failed", error: toFailure(error) });
      return;
    }
    const delaySeconds = retryDelaySeconds(error, { seed, activation, attempt: number, failures });
    journal.add({ kind: "activation.retried", activation, attempt: number, error: toFailure(error), delaySeconds });
  }

  /** Cancels an activation whose inputs will never be there, with all that waits for it. */
  #cancelTree(root: number): void {
    const { state } = this.#parts;
    const doomed = [root];
    for (let id = doomed.pop(); id !== undefined; id = doomed.pop()) {
      const message = "An activation that it depends on failed or was cancelled.";
      if (this.#settle(id, { state: "cancelled", error: { code: "cancelled", message, retryable: false } })) {
        for (const child of state.row(id).children) doomed.push(child);
      }
    }
  }

  #settle(id: number, end: Pick<EventOf<"activation.settled">, "state" | "artifact" | "error">): boolean {
    const { state, journal, clock } = this.#parts;
    const row = state.row(id);
    if (isSettled(row.state) || this.#settling.has(id)) return false;
    this.#settling.add(id);
    this.#sleeping.delete(id);
    const seconds = row.beganAt === undefined ? 0 : Math.max(0, clock.now() - row.beganAt) / 1000;
    journal.add({ kind: "activation.settled", activation: id, ...end, usage: row.usage, seconds });
    return true;
  }
}

function isLost(state: string): boolean {
  return state === "failed" || state === "cancelled";
}

function isArtifact(value: unknown): value is Artifact {
  return typeof value === "object" && value !== null && "kind" in value;
}

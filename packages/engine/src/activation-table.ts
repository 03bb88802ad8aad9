import {
  type Activation,
  type ActivationState,
  type ArtifactRef,
  addUsage,
  type EventOf,
  type Failure,
  noUsage,
  parentsOf,
  type Usage,
} from "@troupe/schema";

/** What is known of one activation. */
export interface ActivationRow {
  readonly activation: Activation;
  readonly state: ActivationState;
  /** The attempt that runs, or that would be the next one; from 1. */
  readonly attempt: number;
  /** Attempts that failed and were tried again since the start, or since a resume took the failure back. */
  readonly failures: number;
  /** Parents that are not done. */
  readonly missing: number;
  /** Milliseconds since 1970 of the first beginning. */
  readonly beganAt: number | undefined;
  /** Milliseconds since 1970 of the end. */
  readonly settledAt: number | undefined;
  readonly output: ArtifactRef | undefined;
  readonly error: Failure | undefined;
  /** What its calls cost so far, over all attempts. */
  readonly usage: Usage;
  /** Whether the director has cancelled it. */
  readonly cancelled: boolean;
  /** Activations that were started before this one was done, and wait for it. */
  readonly children: readonly number[];
}

/** Told while the table changes, so that nobody has to scan it. */
export interface TableHooks {
  /** All parents are done. */
  ready(id: number): void;
  /** A parent failed or was cancelled, so it can never run. */
  doomed(id: number): void;
}

type Row = { -readonly [Key in keyof ActivationRow]: ActivationRow[Key] } & { children: number[] };

const childless: number[] = [];

/** The activations of a run by id, with their in-degree counters: each change costs O(1) per edge it touches. */
export class ActivationTable {
  readonly rows: Row[] = [];
  readonly running = new Set<number>();
  readonly counts: Record<ActivationState, number> = { waiting: 0, ready: 0, running: 0, done: 0, failed: 0, cancelled: 0 };
  hooks: TableHooks | undefined;
  #runningWaits = 0;

  /** Whether something runs, all that runs waits for somebody outside, and nothing is ready. */
  get suspended(): boolean {
    return this.#runningWaits > 0 && this.#runningWaits === this.running.size && this.counts.ready === 0;
  }

  row(id: number): Row {
    const row = this.rows[id];
    if (row === undefined) throw new RangeError(`There is no activation ${id}; the highest is ${this.rows.length - 1}.`);
    return row;
  }

  start(activation: Activation): void {
    const { id } = activation;
    let missing = 0;
    let doomed = false;
    for (const parentId of parentsOf(activation)) {
      const parent = this.row(parentId);
      if (parent.state === "done") continue;
      missing++;
      if (parent.children === childless) parent.children = [id];
      else parent.children.push(id);
      doomed ||= isSettled(parent.state);
    }
    this.rows.push(newRow(activation, missing));
    this.counts[missing === 0 ? "ready" : "waiting"]++;
    if (missing === 0) this.hooks?.ready(id);
    else if (doomed) this.hooks?.doomed(id);
  }

  began(event: EventOf<"activation.began">): void {
    const row = this.row(event.activation);
    row.attempt = event.attempt;
    row.beganAt ??= event.at;
    this.#enter(row, "running");
  }

  retried(event: EventOf<"activation.retried">): void {
    const row = this.row(event.activation);
    row.attempt = event.attempt + 1;
    row.failures++;
    this.#enter(row, "ready");
  }

  settled(event: EventOf<"activation.settled">): void {
    const row = this.row(event.activation);
    row.output = event.artifact;
    row.error = event.error;
    row.settledAt = event.at;
    this.#enter(row, event.state);
    for (const child of row.children) this.#parentSettled(child, event.state === "done");
    // Redone activations may still have to tell their children; done ones never again.
    if (event.state === "done") row.children = childless;
  }

  spent(id: number, usage: Usage): void {
    const row = this.row(id);
    row.usage = addUsage(row.usage, usage);
  }

  /** A resume takes a failure back. */
  redo(id: number): void {
    const row = this.row(id);
    row.attempt++;
    row.failures = 0;
    row.output = undefined;
    row.error = undefined;
    row.settledAt = undefined;
    this.#enter(row, row.missing === 0 ? "ready" : "waiting");
  }

  /** A new session begins: nothing runs. */
  interrupt(): void {
    for (const id of [...this.running]) this.#enter(this.row(id), "ready");
  }

  #parentSettled(id: number, done: boolean): void {
    const row = this.row(id);
    if (!done) {
      this.hooks?.doomed(id);
      return;
    }
    row.missing--;
    if (row.missing > 0 || row.state !== "waiting") return;
    this.#enter(row, "ready");
    this.hooks?.ready(id);
  }

  #enter(row: Row, state: ActivationState): void {
    this.counts[row.state]--;
    this.counts[state]++;
    const { id, kind } = row.activation;
    if (row.state === "running" && this.running.delete(id) && kind === "wait") this.#runningWaits--;
    if (state === "running") {
      this.running.add(id);
      if (kind === "wait") this.#runningWaits++;
    }
    row.state = state;
  }
}

/** Whether an activation has ended. */
export function isSettled(state: ActivationState): state is "done" | "failed" | "cancelled" {
  return state === "done" || state === "failed" || state === "cancelled";
}

function newRow(activation: Activation, missing: number): Row {
  return {
    activation,
    state: missing === 0 ? "ready" : "waiting",
    attempt: 1,
    failures: 0,
    missing,
    beganAt: undefined,
    settledAt: undefined,
    output: undefined,
    error: undefined,
    usage: noUsage,
    cancelled: false,
    children: childless,
  };
}

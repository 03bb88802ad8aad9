import { createRunState, type RunState } from "@troupe/engine";
import type { TaskRow, TaskRun } from "@troupe/runtime";
import { type Clock, systemClock, type WatchedEvent } from "@troupe/schema";
import type { OutputStream } from "../context.ts";
import type { Colors } from "./colors.ts";
import { cutLine } from "./cut-line.ts";
import { LiveScreen } from "./live-screen.ts";
import { nameActivation } from "./run-tree.ts";
import { oneLine } from "./terminal-text.ts";
import { startTicker } from "./ticker.ts";
import { duration, plural, tokensOf } from "./words.ts";

/** How much work there is to do, where runs differ in it; in any unit. */
export interface SetWork {
  /** Work of all runs that are not done when the watcher starts. */
  readonly left: number;
  /** Work of the run of a row. */
  of(row: TaskRow): number;
}

/** What a set watcher needs. */
export interface SetWatcherOptions {
  readonly out: OutputStream;
  readonly colors: Colors;
  /** Runs of the whole set. */
  readonly total: number;
  /** Runs that were done before. */
  readonly before: number;
  /** Default: every run is as much work as every other. */
  readonly work?: SetWork | undefined;
  /** The share of a budget that is left, 0 to 1; asked for again at each row. Default: there is none. */
  readonly budget?: (() => number | undefined) | undefined;
  /** Whether a line that changes can be drawn. */
  readonly live: boolean;
  /** Default: the machine's. */
  readonly clock?: Clock;
}

/** Prints a line for each run that is done, with the time that the rest will take; on a terminal also a line of what runs now. */
export class SetWatcher {
  readonly #options: SetWatcherOptions;
  readonly #clock: Clock;
  readonly #screen: LiveScreen;
  readonly #running = new Map<TaskRun, { state: RunState; startedAt: number }>();
  readonly #startedAt: number;
  readonly #stopTicker: () => void;
  /** What of the budget was left at the start. */
  readonly #budgetBefore: number | undefined;
  #done = 0;
  #worked = 0;

  constructor(options: SetWatcherOptions) {
    this.#options = options;
    this.#clock = options.clock ?? systemClock;
    this.#screen = new LiveScreen(options.out);
    this.#startedAt = this.#clock.now();
    this.#budgetBefore = options.budget?.();
    this.#stopTicker = options.live ? startTicker(this.#clock, 250, () => this.#screen.draw(this.#now())) : () => undefined;
  }

  start(run: TaskRun): void {
    this.#running.set(run, { state: createRunState(), startedAt: this.#clock.now() });
  }

  see(run: TaskRun, event: WatchedEvent): void {
    if (event.kind !== "call.delta") this.#running.get(run)?.state.apply(event);
    if (event.kind === "run.ended") this.#running.delete(run);
  }

  done(row: TaskRow): void {
    this.#done++;
    this.#worked += this.#options.work?.of(row) ?? 1;
    this.#print(`${this.#count()} ${rowLine(row, this.#options.colors)}${this.#left()}`);
  }

  note(message: string): void {
    this.#print(oneLine(message));
  }

  /** Leaves the terminal as it was. Does nothing the second time. */
  end(): void {
    this.#stopTicker();
    this.#screen.end([]);
  }

  #print(line: string): void {
    if (this.#options.live) this.#screen.above([line], this.#now());
    else this.#options.out.write(`${line}\n`);
  }

  #count(): string {
    return `[${this.#options.before + this.#done}/${this.#options.total}]`;
  }

  /** How long the rest will take when it goes on as it went, or how long the budget will last when that is less. */
  #left(): string {
    const missing = this.#options.total - this.#options.before - this.#done;
    if (this.#done === 0 || missing === 0) return "";
    const seconds = (this.#clock.now() - this.#startedAt) / 1000;
    const toDo = Math.max(0, (this.#options.work?.left ?? missing + this.#done) - this.#worked);
    const rest = this.#worked > 0 ? (toDo * seconds) / this.#worked : Number.POSITIVE_INFINITY;
    const budget = this.#options.budget?.();
    if (budget === undefined) return leftWords(rest);
    const used = (this.#budgetBefore ?? budget) - budget;
    const lasting = used > 0 ? (budget * seconds) / used : Number.POSITIVE_INFINITY;
    const spent = ` · ${Math.round(100 * (1 - budget))} % of the budget`;
    return lasting < rest ? `${spent} · about ${duration(lasting)} until it is used up` : `${spent}${leftWords(rest)}`;
  }

  #now(): string[] {
    const [first] = this.#running;
    if (first === undefined) return [];
    const [run, { state, startedAt }] = first;
    const one = `${nameOf(run)}: ${stepOf(state)}, ${duration((this.#clock.now() - startedAt) / 1000)}`;
    const line = `${this.#count()} ${this.#running.size} running${this.#left()} · ${one}`;
    return [cutLine(this.#options.colors.dim(line), this.#screen.columns)];
  }
}

const leftWords = (seconds: number): string => (Number.isFinite(seconds) ? ` · about ${duration(seconds)} left` : "");

function rowLine(row: TaskRow, colors: Colors): string {
  const mark = row.passed === undefined ? "·" : row.passed ? colors.green("✓") : colors.red("✗");
  const spent = `${plural(tokensOf(row.usage), "token")}, ${duration(row.seconds)}, ${row.run}`;
  return `${mark} ${oneLine(`${row.topology} ${row.task}`)} seed ${row.seed}: ${oneLine(row.reason)} ${colors.dim(`(${spent})`)}`;
}

function nameOf({ topology, task, seed }: TaskRun): string {
  return oneLine(`${topology} ${task.id} seed ${seed}`);
}

function stepOf({ running, rows }: RunState): string {
  const [id] = running;
  const activation = id === undefined ? undefined : rows[id]?.activation;
  return activation === undefined ? "starting" : oneLine(nameActivation(activation));
}

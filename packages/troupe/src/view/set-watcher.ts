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

/** What a set watcher needs. */
export interface SetWatcherOptions {
  readonly out: OutputStream;
  readonly colors: Colors;
  /** Runs of the whole set. */
  readonly total: number;
  /** Runs that were done before. */
  readonly before: number;
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
  #done = 0;

  constructor(options: SetWatcherOptions) {
    this.#options = options;
    this.#clock = options.clock ?? systemClock;
    this.#screen = new LiveScreen(options.out);
    this.#startedAt = this.#clock.now();
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

  /** How long the rest will take when it goes on as it went. */
  #left(): string {
    const missing = this.#options.total - this.#options.before - this.#done;
    if (this.#done === 0 || missing === 0) return "";
    return ` · about ${duration((missing * (this.#clock.now() - this.#startedAt)) / this.#done / 1000)} left`;
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

import { createRunState, type RunState } from "@troupe/engine";
import type { TaskRow, TaskRun } from "@troupe/runtime";
import { type Clock, systemClock, type WatchedEvent } from "@troupe/schema";
import type { OutputStream } from "../context.ts";
import type { Colors } from "./colors.ts";
import { cutLine } from "./cut-line.ts";
import { LiveScreen } from "./live-screen.ts";
import { oneLine } from "./terminal-text.ts";
import { startTicker } from "./ticker.ts";
import { duration, plural, tokensOf } from "./words.ts";

/** Shows how a set of runs goes. */
export interface SetWatcher {
  start(run: TaskRun): void;
  see(run: TaskRun, event: WatchedEvent): void;
  done(row: TaskRow): void;
  note(message: string): void;
  /** Leaves the terminal as it was. Does nothing the second time. */
  end(): void;
}

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
export function createSetWatcher({ out, colors, total, before, live, clock = systemClock }: SetWatcherOptions): SetWatcher {
  const screen = new LiveScreen(out);
  const running = new Map<TaskRun, { state: RunState; startedAt: number }>();
  const startedAt = clock.now();
  let done = 0;

  const left = (): string => {
    const missing = total - before - done;
    return done === 0 || missing === 0 ? "" : ` · about ${duration((missing * (clock.now() - startedAt)) / done / 1000)} left`;
  };
  const now = (): string[] => {
    const [first] = running;
    if (first === undefined) return [];
    const more = running.size > 1 ? `, and ${plural(running.size - 1, "more run")}` : "";
    const line = `[${before + done}/${total}] ${nameOf(first[0])}: ${stepOf(first[1].state)}, ${duration((clock.now() - first[1].startedAt) / 1000)}${more}`;
    return [cutLine(colors.dim(`${line}${left()}`), screen.columns)];
  };
  const print = (line: string): void => {
    if (live) screen.above([line], now());
    else out.write(`${line}\n`);
  };
  const stopTicker = live ? startTicker(clock, 250, () => screen.draw(now())) : () => undefined;
  return {
    start: (run) => void running.set(run, { state: createRunState(), startedAt: clock.now() }),
    see: (run, event) => {
      if (event.kind !== "call.delta") running.get(run)?.state.apply(event);
      if (event.kind === "run.ended") running.delete(run);
    },
    done: (row) => {
      done++;
      print(`[${before + done}/${total}] ${rowLine(row, colors)}${left()}`);
    },
    note: (message) => print(oneLine(message)),
    end: () => {
      stopTicker();
      screen.end([]);
    },
  };
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
  return activation === undefined ? "starting" : oneLine(`${activation.label} ${activation.agent ?? ""}`);
}

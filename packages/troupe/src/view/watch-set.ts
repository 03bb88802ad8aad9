import type { TaskRow, TaskSetOptions } from "@troupe/runtime";
import type { TroupeContext } from "../context.ts";
import { colorsOf } from "./colors.ts";
import { SetWatcher, type SetWatcherOptions } from "./set-watcher.ts";
import { canDraw } from "./watch-run.ts";

/** What a set of runs tells while it runs. */
export type SetHooks = Pick<TaskSetOptions, "onStart" | "onEvent">;

/** A set of runs to be watched. */
export interface WatchedSet extends Pick<SetWatcherOptions, "work" | "budget"> {
  readonly context: TroupeContext;
  /** Runs of the whole set. */
  readonly total: number;
  /** Runs that were done before. */
  readonly before: number;
  readonly runs: (hooks: SetHooks) => AsyncIterable<TaskRow>;
}

/** Shows on stderr how a set of runs goes, and hands on each row before its line is shown. Leaves the terminal as it was in any case. */
export async function watchSet({ context, runs, ...set }: WatchedSet, keep: (row: TaskRow) => Promise<void>): Promise<void> {
  const { stderr, env } = context.process;
  const watcher = new SetWatcher({ out: stderr, colors: colorsOf(stderr, env), ...set, live: canDraw(context) });
  const giveBack = context.messages.takeOver((message) => watcher.note(message));
  const end = () => watcher.end();
  context.lastWords.add(end);
  try {
    const hooks: SetHooks = { onStart: (run) => watcher.start(run), onEvent: (run, event) => watcher.see(run, event) };
    for await (const row of runs(hooks)) {
      await keep(row);
      watcher.done(row);
    }
  } finally {
    end();
    context.lastWords.delete(end);
    giveBack();
  }
}

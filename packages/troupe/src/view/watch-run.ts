import { createRunState, foldLog, type RunState } from "@troupe/engine";
import type { TroupeResult, TroupeRun } from "@troupe/runtime";
import type { RunEvent } from "@troupe/schema";
import type { TroupeContext } from "../context.ts";
import type { ReadArtifact } from "./activation-texts.ts";
import { colorsOf } from "./colors.ts";
import { createJsonWatcher } from "./json-watcher.ts";
import { createLiveWatcher } from "./live-watcher.ts";
import { createPlainWatcher } from "./plain-watcher.ts";
import type { TerminalHuman } from "./terminal-human.ts";
import type { Watcher } from "./watcher.ts";

/** How a run is watched. */
export interface WatchOptions {
  /** Prints events as JSON lines on stdout instead. */
  readonly json: boolean;
  readonly read: ReadArtifact;
  /** The person at the terminal; while they are asked nothing else is shown. */
  readonly human?: Pick<TerminalHuman, "pauses"> | undefined;
  /** The log of the sessions before this one. */
  readonly earlier?: readonly RunEvent[];
}

/** What came of a run, and its whole state. */
export interface WatchedRun {
  readonly result: TroupeResult;
  readonly state: RunState;
}

/** Shows a run while it goes on: JSON lines, a live tree on a terminal, plain lines elsewhere. */
export async function watchRun(run: TroupeRun, context: TroupeContext, options: WatchOptions): Promise<WatchedRun> {
  const watcher = createWatcher(context, options);
  const giveBack = context.messages.takeOver((message) => watcher.note(message));
  options.human?.pauses(() => watcher.pause());
  const end = () => watcher.end();
  context.lastWords.add(end);
  try {
    const state = options.earlier === undefined ? createRunState() : foldLog(options.earlier);
    for await (const event of run) {
      if (event.kind !== "call.delta") state.apply(event);
      watcher.see(event, state);
    }
    return { result: await run.result, state };
  } finally {
    end();
    context.lastWords.delete(end);
    giveBack();
  }
}

/** Whether a live view can be drawn on stderr. */
export function canDraw({ process: { stderr, env } }: Pick<TroupeContext, "process">): boolean {
  return stderr.isTTY === true && env["TERM"] !== "dumb" && env["CI"] === undefined;
}

function createWatcher(context: TroupeContext, { json, read }: WatchOptions): Watcher {
  const { stdout, stderr, env } = context.process;
  if (json) return createJsonWatcher(stdout, stderr);
  return canDraw(context)
    ? createLiveWatcher({ out: stderr, colors: colorsOf(stderr, env), read })
    : createPlainWatcher({ out: stderr, read });
}

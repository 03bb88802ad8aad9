import { createRunState, type RunState } from "@troupe/engine";
import { type Clock, systemClock, type WatchedEvent } from "@troupe/schema";
import type { OutputStream } from "../context.ts";
import { ActivationTexts, type ReadArtifact } from "./activation-texts.ts";
import type { Colors } from "./colors.ts";
import { LiveScreen } from "./live-screen.ts";
import { renderFrame } from "./render-frame.ts";
import { oneLine } from "./terminal-text.ts";
import { startTicker } from "./ticker.ts";
import type { Watcher } from "./watcher.ts";

/** Milliseconds between two frames. */
const frameTime = 100;

/** What a live watcher needs. */
export interface LiveWatcherOptions {
  /** The terminal. */
  readonly out: OutputStream;
  readonly colors: Colors;
  readonly read: ReadArtifact;
  /** Default: the machine's. */
  readonly clock?: Clock;
}

/**
 * Shows a run as a live tree on a terminal, drawn ten times a second while it goes on; the last frame stays. The terminal's size is
 * asked for at every frame, so a change of it needs no listener.
 */
export function createLiveWatcher({ out, colors, read, clock = systemClock }: LiveWatcherOptions): Watcher {
  const screen = new LiveScreen(out);
  const texts = new ActivationTexts(read);
  let state: RunState = createRunState();
  let note: string | undefined;
  let ended = false;

  const frame = (live: boolean): string[] => {
    const rows = live ? screen.rows : Number.POSITIVE_INFINITY;
    return renderFrame(state, { columns: screen.columns, rows, now: clock.now(), texts, colors, live, note });
  };
  const draw = () => {
    if (state.started !== undefined || note !== undefined) screen.draw(frame(true));
  };
  const stopTicker = startTicker(clock, frameTime, draw);

  return {
    see: (event: WatchedEvent, current: RunState) => {
      state = current;
      texts.see(event, current);
      // Once a model writes, whatever was waited for is there.
      if (event.kind === "call.delta") note = undefined;
    },
    note: (message) => {
      note = oneLine(message);
    },
    pause: () => screen.pause(),
    end: () => {
      if (ended) return;
      ended = true;
      stopTicker();
      note = undefined;
      draw();
      screen.end(state.started === undefined ? [] : frame(false));
    },
  };
}

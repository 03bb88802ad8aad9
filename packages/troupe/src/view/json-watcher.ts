import type { OutputStream } from "../context.ts";
import { jsonLine, oneLine } from "./terminal-text.ts";
import type { Watcher } from "./watcher.ts";

/** Prints each line of the log as a line of JSON; text that is still being written is not shown, notes go elsewhere. */
export function createJsonWatcher(out: OutputStream, notes: OutputStream): Watcher {
  return {
    see: (event) => {
      if (event.kind !== "call.delta") out.write(jsonLine(event));
    },
    note: (message) => notes.write(`${oneLine(message)}\n`),
    // What is asked stands on stderr, where nothing else is drawn.
    pause: () => () => undefined,
    end: () => undefined,
  };
}

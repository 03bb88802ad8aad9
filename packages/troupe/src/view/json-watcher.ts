import type { OutputStream } from "../context.ts";
import type { Watcher } from "./watcher.ts";

/** Prints each line of the log as a line of JSON; text that is still being written is not shown. */
export function createJsonWatcher(out: OutputStream): Watcher {
  return {
    see: (event) => {
      if (event.kind !== "call.delta") out.write(`${JSON.stringify(event)}\n`);
    },
    end: () => undefined,
  };
}

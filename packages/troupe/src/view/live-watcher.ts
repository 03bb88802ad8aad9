import type { OutputStream } from "../context.ts";
import { createPlainWatcher } from "./plain-watcher.ts";
import type { Watcher } from "./watcher.ts";

/** Shows a run as a live tree on a terminal. */
export function createLiveWatcher(out: OutputStream): Watcher {
  return createPlainWatcher(out);
}

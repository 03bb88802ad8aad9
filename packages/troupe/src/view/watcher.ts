import type { RunState } from "@troupe/engine";
import type { WatchedEvent } from "@troupe/schema";

/** Shows a run to somebody. */
export interface Watcher {
  /** Told each event after the state has taken it in. */
  see(event: WatchedEvent, state: RunState): void;
  /** The run is over: leave the terminal as it was. */
  end(): void;
}

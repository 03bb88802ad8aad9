import type { RunState } from "@troupe/engine";
import type { WatchedEvent } from "@troupe/schema";

/** Shows a run to somebody. */
export interface Watcher {
  /** Told each event after the state has taken it in. */
  see(event: WatchedEvent, state: RunState): void;
  /** Something besides the run, such as the progress of loading a model. */
  note(message: string): void;
  /** Writes nothing until the answer is called, so that a person can be asked something; what is to be said waits. */
  pause(): () => void;
  /** The run is over, or nobody watches any more: leave the terminal as it was. Does nothing the second time. */
  end(): void;
}

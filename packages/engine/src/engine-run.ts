import type { Notice, RunResult, WatchedEvent } from "@troupe/schema";

/**
 * A run that goes on by itself: nobody has to iterate or to wait for the result, and leaving a `for await` early changes nothing
 * about the run; only its signal, its limits and its director end it.
 *
 * An iterator sees every logged event of this session from the first, whenever it starts, and ends after the one `run.ended`.
 * Deltas are only for those who watch while they come; one that reads slowly gets them merged, and loses some rather than
 * filling the memory.
 */
export interface EngineRun extends AsyncIterable<WatchedEvent> {
  /** The run's name. */
  readonly run: string;
  /** Never rejects: whatever ends the run is an outcome. */
  readonly result: Promise<RunResult>;
  /** Pushes something in from outside: it is logged, then the director is told. Ignored once the run is ending. */
  notify(notice: Notice): void;
  /** Starts nothing more, lets what runs come to its end, and then ends the run as `cancelled`; a resume goes on from there. */
  drain(reason: string): void;
}

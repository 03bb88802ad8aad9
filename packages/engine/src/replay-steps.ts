import type { ArtifactRef, Director, EventOf, RunEvent, RunStore } from "@troupe/schema";
import { type ReplayedStep, replayDirector } from "./replay-director.ts";
import { readTold } from "./resume-plan.ts";
import type { RunHeader } from "./run-view.ts";

/** Makes a run's director from its first event and the topology that holds. */
export type MakeDirector = (started: EventOf<"run.started">, bundle: ArtifactRef) => Director;

/** What is replayed. */
export interface StepsReplay {
  readonly header: RunHeader;
  readonly started: EventOf<"run.started">;
  readonly director: MakeDirector;
  readonly store: RunStore;
  readonly events: readonly RunEvent[];
}

/**
 * Tells directors a log again and compares their answers: the first one up to where a resume took over a changed topology, then one of that
 * topology, which is told everything before as well, as it was then; only what it answered itself is compared.
 */
export function* replaySteps({ header, started, director: make, store, events }: StepsReplay): Generator<ReplayedStep> {
  for (const { from, to, bundle } of sectionsOf(started, events)) {
    const told = readTold(events.slice(0, to));
    for (const part of replayDirector({ header, director: make(started, bundle), store, events: events.slice(0, to), told })) {
      const answeredAt = told.steps.get(part.seq)?.seq ?? part.seq;
      if (answeredAt >= from) yield part;
    }
  }
}

interface Section {
  readonly from: number;
  readonly to: number;
  readonly bundle: ArtifactRef;
}

/** The sections of a log in which one topology holds. */
function sectionsOf({ bundle: first }: EventOf<"run.started">, events: readonly RunEvent[]): Section[] {
  const changes = events.flatMap((event) =>
    event.kind === "run.resumed" && event.bundle ? [{ from: event.seq, bundle: event.bundle }] : [],
  );
  const starts = [{ from: 0, bundle: first }, ...changes];
  return starts.map((start, index) => ({ ...start, to: starts[index + 1]?.from ?? events.length }));
}

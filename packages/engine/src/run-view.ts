import { createRandom, type EventBody, type RunStore, type RunView } from "@troupe/schema";
import type { LiveRunState } from "./run-state.ts";

/** The body of a run's first event. */
export type RunHeader = Extract<EventBody, { kind: "run.started" }>;

/** The handle through which a director looks at its run. */
export function createRunView(header: RunHeader, state: LiveRunState, store: Pick<RunStore, "get" | "put">): RunView {
  return {
    run: header.run,
    seed: header.seed,
    task: header.task,
    taskRef: header.taskRef,
    from: header.from?.artifact,
    get nextId() {
      return state.rows.length;
    },
    get usage() {
      return state.usage;
    },
    activation: (id) => state.row(id).activation,
    state: (id) => state.row(id).state,
    output: (id) => state.row(id).output,
    read: (ref) => store.get(ref),
    put: (artifact) => store.put(artifact),
    random: (key) => createRandom(header.seed, key),
  };
}

import {
  addUsage,
  type AppendGuard,
  type Artifact,
  type ArtifactRef,
  type EventBody,
  noUsage,
  type RunEvent,
  type RunStore,
  type RunSummary,
  runPruned,
  TroupeError,
} from "@troupe/schema";

import { createMemoryLeases, type MemoryLeases } from "./memory-leases.ts";
import { type MemoryKept, removeRuns } from "./memory-retention.ts";
import { nameArtifact } from "./name-artifact.ts";

/** How much of a prompt a list shows. */
const shownPrompt = 200;

/**
 * A store that keeps runs in memory, for tests and for runs that nobody wants to keep.
 * It obeys the same contract as the one on disk; `close` forgets everything.
 */
export function createMemoryStore(): RunStore {
  const logs = new Map<string, RunEvent[]>();
  const artifacts = new Map<string, string>();
  const leases = createMemoryLeases();
  const kept: MemoryKept = { logs, artifacts, leases, pruned: new Map() };
  return {
    ...leases,
    append: (run, bodies, at, guard = {}) => append({ logs, leases }, run, { bodies, at, guard }),
    events: (run, { from = 0, limit = Number.POSITIVE_INFINITY } = {}) => (logs.get(run) ?? []).slice(from, from + limit),
    resolve: (name) => resolve(kept, name),
    list: (limit) => [...logs.values()].reverse().slice(0, limit).map(summarize),
    remove: (names, now, dryRun = false) => removeRuns(kept, names, now, dryRun),
    compact: () => ({ before: 0, after: 0 }),
    put: (artifact) => {
      const { ref, json } = nameArtifact(artifact);
      artifacts.set(ref.hash, json);
      return ref;
    },
    get: ({ hash }) => {
      const json = artifacts.get(hash);
      if (json === undefined) throw new TroupeError("store_damaged", `The artifact ${hash} is not in the store.`);
      return JSON.parse(json) as Artifact;
    },
    close: () => {
      logs.clear();
      leases.clear();
      artifacts.clear();
    },
  };
}

/**
 * A store that keeps no log, for measuring and for runs that are watched once and forgotten: nothing can be resumed, late
 * watchers miss what came before them, and artifacts are numbered instead of hashed.
 */
export function createNullStore(): RunStore {
  const artifacts: Artifact[] = [];
  const refs = new WeakMap<Artifact, ArtifactRef>();
  let seq = 0;
  return {
    append: (_run, bodies, at) => bodies.map((body) => stamp(body, seq++, at)),
    events: () => [],
    resolve: (name) => found(undefined, name),
    remove: () => ({ runs: 0, events: 0, artifacts: 0, bytes: 0 }),
    compact: () => ({ before: 0, after: 0 }),
    acquire: () => "",
    renew: () => undefined,
    release: () => undefined,
    holder: () => undefined,
    list: () => [],
    put: (artifact) => {
      const known = refs.get(artifact);
      if (known !== undefined) return known;
      const hash = (artifacts.push(artifact) - 1).toString(16).padStart(64, "0");
      const ref: ArtifactRef = { hash, kind: artifact.kind, bytes: 0 };
      refs.set(artifact, ref);
      return ref;
    },
    get: ({ hash }) => {
      const artifact = artifacts[Number.parseInt(hash, 16)];
      if (artifact === undefined) throw new TroupeError("store_damaged", `The artifact ${hash} is not in the store.`);
      return artifact;
    },
    close: () => {
      artifacts.length = 0;
    },
  };
}

/** Makes an event of a body, which nobody else needs, in place: a copy would cost more than the rest of the engine's work. */
function stamp(body: EventBody, seq: number, at: number): RunEvent {
  const event = body as RunEvent;
  event.seq = seq;
  event.at = at;
  return event;
}

interface Addition {
  readonly bodies: readonly EventBody[];
  readonly at: number;
  readonly guard: AppendGuard;
}

interface Kept {
  readonly logs: Map<string, RunEvent[]>;
  readonly leases: MemoryLeases;
}

function append({ logs, leases }: Kept, run: string, { bodies, at, guard: { next, lease } }: Addition): RunEvent[] {
  if (bodies.length === 0) return [];
  if (lease !== undefined) leases.check(run, lease);
  const log = logs.get(run) ?? [];
  if ((log.length === 0) !== (bodies[0]?.kind === "run.started")) {
    throw new TroupeError("internal", `The log of run ${run} must begin with run.started, and with nothing else.`);
  }
  if (next !== undefined && next !== log.length) throw new TroupeError("store_locked", `Another session goes on with run ${run}.`);
  const events = bodies.map((body, index): RunEvent => ({ ...body, seq: log.length + index, at }));
  for (const event of events) log.push(event);
  logs.set(run, log);
  return events;
}

function resolve({ logs, pruned }: MemoryKept, name: string): string {
  const runs = [...logs.keys()];
  const gone = pruned.has(name) ? name : [...pruned.keys()].find((run) => name !== "" && run.startsWith(name));
  if (gone !== undefined && !runs.some((run) => run.startsWith(name))) throw runPruned(gone, pruned.get(gone) ?? 0);
  if (name === "last") return found(runs.at(-1), name);
  if (runs.includes(name)) return name;
  const matches = runs.filter((run) => name !== "" && run.startsWith(name));
  return found(matches.length === 1 ? matches[0] : undefined, name);
}

function found(run: string | undefined, name: string): string {
  if (run !== undefined) return run;
  throw new TroupeError("run_unknown", `No single run is called or begins with "${name}". List the runs with \`troupe runs\`.`);
}

function summarize(log: readonly RunEvent[]): RunSummary {
  const [started] = log;
  if (started?.kind !== "run.started") throw new TroupeError("store_damaged", "A log does not begin with run.started.");
  const ended = log.findLast((event) => event.kind === "run.ended" || event.kind === "run.resumed");
  return {
    run: started.run,
    topology: started.topology,
    task: started.task.prompt.slice(0, shownPrompt),
    startedAt: started.at,
    outcome: ended?.kind === "run.ended" ? ended.outcome.kind : undefined,
    usage: log.reduce((sum, event) => (event.kind === "call.settled" ? addUsage(sum, event.usage) : sum), noUsage),
    events: log.length,
  };
}

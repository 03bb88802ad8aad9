import { relative } from "node:path";
import { createDirector } from "@troupe/directors";
import type { Adoption } from "@troupe/engine";
import {
  type EventOf,
  isTroupeError,
  type Limits,
  type LoggedStep,
  type RunEvent,
  type TopologyBundle,
  TroupeError,
  toTroupeError,
} from "@troupe/schema";
import {
  bundleTopology,
  type CompiledTopology,
  compareTopologies,
  describeChanges,
  type LoadedTopology,
  loadTopology,
  type TopologyChange,
} from "@troupe/topology";
import type { Ports } from "./ports.ts";
import { keepTopology, recordedTopology } from "./recorded-topology.ts";

/** What becomes of a run whose topology has changed since: it is refused, goes on as it began, or takes the change over. */
export type IfChanged = "refuse" | "keep" | "accept";

/** How a run goes on that may have been started from a file. */
export interface TopologyChoice {
  readonly events: readonly RunEvent[];
  readonly ifChanged: IfChanged;
  readonly ports: Pick<Ports, "project" | "store" | "modelNames">;
  readonly signal: AbortSignal;
  /** Told what was found and is gone on with. */
  readonly tell: ((message: string) => void) | undefined;
}

/** The topology that a run goes on with. */
export interface ChosenTopology {
  readonly graph: CompiledTopology;
  /** Undefined: it is the one that holds already. */
  readonly adopt?: Adoption;
}

/** Differences named in a message. */
const shownChanges = 8;

/**
 * Compares the topology that holds for a run with the file that it was started from, where that is still there, and chooses.
 *
 * @throws TroupeError `topology_changed` with the differences; `file_…` when the changed file is to be taken over and is wrong;
 *   `model_unknown`, `store_damaged`.
 */
export async function topologyToResume(choice: TopologyChoice): Promise<ChosenTopology> {
  const { events, ifChanged, ports, tell } = choice;
  const held = heldTopology(events, ports);
  const asItBegan = (): ChosenTopology => ({ graph: bundleTopology(held.bundle, { models: ports.modelNames }).graph });
  const { file, run } = held.started;
  // Whoever goes on with a completed run is told that first.
  const last = events.at(-1);
  if (file === undefined || (last?.kind === "run.ended" && last.outcome.kind === "completed")) return asItBegan();
  const shown = shownPath(file);
  const now = await readFileNow(shown, choice);
  // As nearly always; comparing graphs costs more.
  if (now === undefined || isSame(now.bundle, held.bundle)) return asItBegan();
  const changes = compareTopologies(bundleTopology(held.bundle).graph, now.graph);
  if (changes.length === 0) return asItBegan();
  const words = shorten(describeChanges(changes));
  if (ifChanged === "refuse") throw refused(`${shown} has changed since run ${run} began: ${words}.`, changes);
  if (ifChanged === "keep") {
    tell?.(`${shown} has changed since run ${run} began (${words}); it goes on as it began.`);
    return asItBegan();
  }
  checkStructure(shown, changes);
  tell?.(`Taken over from ${shown}: ${words}.`);
  return { graph: now.graph, adopt: adoptionOf(now, held, ports) };
}

interface HeldTopology {
  readonly started: EventOf<"run.started">;
  readonly bundle: TopologyBundle;
  readonly agents: EventOf<"run.started">["agents"];
  readonly limits: Limits;
}

/** What holds at the end of a log. */
function heldTopology(events: readonly RunEvent[], { store }: TopologyChoice["ports"]): HeldTopology {
  const [started] = events;
  if (started?.kind !== "run.started") throw new TroupeError("store_damaged", "The run's log does not begin with run.started.");
  const sessions = events.filter((event) => event.kind === "run.resumed");
  const changed = sessions.findLast(({ bundle }) => bundle !== undefined);
  return {
    started,
    bundle: recordedTopology(started.run, changed?.bundle ?? started.bundle, store),
    agents: changed?.agents ?? started.agents,
    limits: (sessions.at(-1) ?? started).limits,
  };
}

/** The file as it is now; undefined when there is none any more, or when it doesn't matter what is in it. */
async function readFileNow(path: string, { ifChanged, ports, signal, events }: TopologyChoice): Promise<LoadedTopology | undefined> {
  try {
    return await loadTopology(path, { signal, models: ifChanged === "accept" ? ports.modelNames : undefined });
  } catch (thrown) {
    if (isTroupeError(thrown, "file_missing") || (isTroupeError(thrown) && ifChanged === "keep")) return undefined;
    if (!isTroupeError(thrown) || ifChanged === "accept") throw thrown;
    const [started] = events;
    const run = started?.kind === "run.started" ? started.run : "";
    const { message } = toTroupeError(thrown);
    throw new TroupeError(
      "topology_changed",
      `${path} has changed since run ${run} began, and can't be used as it is now. Go on as it began with --keep, or mend the file:\n${message}`,
      { cause: thrown },
    );
  }
}

function refused(what: string, changes: readonly TopologyChange[]): TroupeError {
  const how = changes.some(({ structural }) => structural)
    ? "Go on as it began with --keep; another graph can't be taken over (--accept-changes takes over what leaves the graph as it is)."
    : "Go on as it began with --keep, or take the changes over with --accept-changes.";
  return new TroupeError("topology_changed", `${what} ${how}`, { details: { changes: describeChanges(changes) } });
}

function checkStructure(shown: string, changes: readonly TopologyChange[]): void {
  const structural = changes.filter((change) => change.structural);
  if (structural.length === 0) return;
  const words = shorten(describeChanges(structural));
  throw new TroupeError(
    "topology_changed",
    `${shown} describes another graph now, which can't be taken over: ${words}. Go on as it began with --keep, or start a new run.`,
    { details: { changes: describeChanges(structural) } },
  );
}

function adoptionOf({ bundle, graph }: LoadedTopology, held: HeldTopology, { store, project }: TopologyChoice["ports"]): Adoption {
  const before = bundleTopology(held.bundle).graph.limits;
  return {
    bundle: keepTopology(bundle, store),
    // What was started with an agent that is gone still needs its card.
    agents: { ...held.agents, ...graph.agents },
    limits: changedLimits(held.limits, { before, after: graph.limits, project: project.file.limits }),
    trial: createDirector(graph),
    compared: withoutStaff,
  };
}

interface FileLimits {
  readonly before: Limits;
  readonly after: Limits;
  /** What holds where the file says nothing. */
  readonly project: Limits | undefined;
}

/** The limits that hold with what has changed in the file; those that were given by hand stay. */
function changedLimits(held: Limits, { before, after, project = {} }: FileLimits): Limits {
  const limits: Record<string, unknown> = { ...held };
  for (const name of new Set([...Object.keys(before), ...Object.keys(after)]) as Set<keyof Limits>) {
    const isByHand = !isSame(held[name], before[name] ?? project[name]);
    if (isByHand || isSame(before[name], after[name])) continue;
    const now = after[name] ?? project[name];
    if (now === undefined) delete limits[name];
    else limits[name] = now;
  }
  return limits;
}

function isSame(a: unknown, b: unknown): boolean {
  return JSON.stringify(a) === JSON.stringify(b);
}

/** What is done, without who does it, how, and what it is called: that may change for what has not begun. */
function withoutStaff({ start, ...rest }: LoggedStep): unknown {
  const work = start.map(({ id, kind, inputs, after, scope, meta, wait }) => {
    const given = inputs.filter(({ name }) => name !== "profile");
    return { id, kind, inputs: given, after, scope, meta, wait };
  });
  return { ...rest, start: work };
}

function shorten(lines: readonly string[]): string {
  const more = lines.length - shownChanges;
  return [...lines.slice(0, shownChanges), ...(more > 0 ? [`and ${more} more`] : [])].join("; ");
}

function shownPath(file: string): string {
  const path = relative(process.cwd(), file);
  return path.startsWith("..") ? file : path;
}

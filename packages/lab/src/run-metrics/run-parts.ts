import { type ActivationRow, foldLog, type RunState } from "@troupe/runtime";
import { type Activation, type Artifact, type ArtifactRef, type RunEvent, type Verdict, verdict } from "@troupe/schema";
import { type LoggedActivation, readActivations } from "./activation-graph.ts";

/** A run as its log and its artifacts tell it. */
export interface LoggedRun {
  readonly events: readonly RunEvent[];
  readonly read: (ref: ArtifactRef) => Artifact;
}

/** A critic's word. */
export interface LoggedVerdict {
  /** The critic's activation. */
  readonly id: number;
  /** The edge of the topology, such as `1→2`; inside a graph at a node with that node's name. */
  readonly edge: string;
  /** The same with the round of the loop, or the item, that it belongs to. */
  readonly talk: string;
  readonly verdict: Verdict;
}

/** What all metrics of a run are made of: the log, read once. */
export interface RunParts extends LoggedRun {
  readonly state: RunState;
  readonly rows: readonly ActivationRow[];
  readonly logged: readonly LoggedActivation[];
  /** Of the critics that have ended, in the order of starting. */
  readonly verdicts: readonly LoggedVerdict[];
  /** Whether an activation is a critic's. */
  readonly isCritic: (activation: Activation) => boolean;
}

/** Reads a run for its metrics. */
export function readRunParts({ events, read }: LoggedRun): RunParts {
  const state = foldLog(events);
  const critics = criticsOf(events);
  const isCritic = ({ agent }: Activation): boolean => agent !== undefined && critics.has(agent);
  const verdicts = state.rows.flatMap(({ activation, output, state: at }): LoggedVerdict[] => {
    if (at !== "done" || output === undefined || !isCritic(activation)) return [];
    const said = readVerdict(read(output));
    return said === undefined ? [] : [{ id: activation.id, ...placeOf(activation), verdict: said }];
  });
  return { events, read, state, rows: state.rows, logged: readActivations(events), verdicts, isCritic };
}

/** Critics of the run, also those that a resume brought with a changed topology. */
function criticsOf(events: readonly RunEvent[]): Set<string> {
  const tables = events.flatMap((event) => (event.kind === "run.started" || event.kind === "run.resumed" ? [event.agents ?? {}] : []));
  return new Set(tables.flatMap((agents) => Object.values(agents).flatMap(({ kind, name }) => (kind === "critic" ? [name] : []))));
}

function readVerdict(artifact: Artifact): Verdict | undefined {
  return artifact.kind === "json" ? verdict.safeParse(artifact.value).data : undefined;
}

/** The edge that a critic sits on, as its director wrote it down; a critic on no edge goes by its label. */
function placeOf({ meta, scope, label }: Activation): Pick<LoggedVerdict, "edge" | "talk"> {
  const { from, to, side } = meta;
  const name = from === undefined || to === undefined ? label : `${from}→${to}${side === "target" ? " (target)" : ""}`;
  if (scope === "") return { edge: name, talk: name };
  // A scope such as `polish#2` or `each[3]` names the node and the time.
  return { edge: `${scope.replaceAll(/#\d+|\[\d+\]/g, "")}: ${name}`, talk: `${scope}: ${name}` };
}

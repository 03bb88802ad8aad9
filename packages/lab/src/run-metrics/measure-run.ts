import { measureStored, type RunState, type TopologyMetrics } from "@troupe/runtime";
import { type Outcome, TroupeError, type Usage } from "@troupe/schema";
import { type GraphMeasures, measureActivations } from "./activation-graph.ts";
import { type Growth, measureGrowth } from "./artifact-growth.ts";
import { measureRounds, type Rounds } from "./round-ends.ts";
import { type LoggedRun, readRunParts } from "./run-parts.ts";
import { type Adoption, type EdgeAdoption, measureAdoption } from "./suggestion-adoption.ts";

/** What a run's log says about it. */
export interface RunMetrics {
  readonly run: string;
  readonly topology: string;
  /** How the last session ended; undefined while it goes on, or after a crash. */
  readonly outcome: Outcome["kind"] | undefined;
  /** Prompt and generated tokens. */
  readonly tokens: number;
  readonly usage: Usage;
  /** Seconds of all sessions; of one without an end, up to the last event. */
  readonly seconds: number;
  /** Activations by state, and by the step that their director gave them. */
  readonly activations: { readonly states: RunState["counts"]; readonly steps: Readonly<Record<string, number>> };
  /** The graph of activations: who waited for whom. */
  readonly graph: GraphMeasures;
  /** The graph of the topology, or why it could not be measured. */
  readonly shape: ({ readonly kind: "measured" } & TopologyMetrics) | { readonly kind: "unmeasured"; readonly reason: string };
  readonly growth: Growth;
  readonly adoption: { readonly all: Adoption; readonly edges: readonly EdgeAdoption[] };
  readonly rounds: Rounds;
}

/**
 * Measures a run from its log and its artifacts alone; nothing is run and no model is asked.
 *
 * @throws TroupeError `store_damaged` when the log does not begin as one, or an artifact of it is missing.
 */
export function measureRun(run: LoggedRun): RunMetrics {
  const parts = readRunParts(run);
  const { state, rows, logged } = parts;
  const { started } = state;
  if (started === undefined) throw new TroupeError("store_damaged", "The log of the run does not begin with run.started.");
  const steps: Record<string, number> = {};
  for (const { activation } of rows) {
    const step = String(activation.meta["step"] ?? activation.kind);
    steps[step] = (steps[step] ?? 0) + 1;
  }
  return {
    run: started.run,
    topology: started.topology,
    outcome: state.outcome?.kind,
    tokens: state.usage.inputTokens + state.usage.outputTokens,
    usage: state.usage,
    seconds: secondsOf(state),
    activations: { states: state.counts, steps },
    graph: measureActivations(logged),
    shape: shapeOf(run, started.bundle),
    growth: measureGrowth(parts),
    adoption: measureAdoption(parts),
    rounds: measureRounds(parts),
  };
}

function secondsOf({ earlierSeconds, outcome, lastAt, sessionStartedAt }: RunState): number {
  return outcome === undefined ? earlierSeconds + Math.max(0, lastAt - sessionStartedAt) / 1000 : earlierSeconds;
}

function shapeOf({ read }: LoggedRun, bundle: Parameters<LoggedRun["read"]>[0]): RunMetrics["shape"] {
  try {
    return { kind: "measured", ...measureStored(read(bundle)) };
  } catch (error) {
    const why = error instanceof Error ? error.message.split("\n")[0] : String(error);
    return { kind: "unmeasured", reason: `This version can't read the run's topology: ${why}` };
  }
}

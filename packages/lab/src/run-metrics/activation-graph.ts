import { type Activation, type ActivationInput, parentsOf, type RunEvent } from "@troupe/schema";

/** How a graph is built, whatever its nodes are. */
export interface GraphMeasures {
  readonly nodes: number;
  readonly edges: number;
  /** Edges as a share of those of the mesh of this size: 0 to 1; 0 for one node. */
  readonly density: number;
  /** Edges of the longest path. */
  readonly depth: number;
  /** The most nodes of one depth: none of them waits for another. */
  readonly width: number;
}

/** An activation, and those that it had to wait for. */
export interface LoggedActivation {
  readonly activation: Activation;
  /** Ids, each once: those whose output it was given, those that it was told to follow, and the one whose end let it start. */
  readonly parents: readonly number[];
  /** Which activation made an input, by the input's place; undefined: none, such as the task or an item of a list. */
  readonly makers: readonly (number | undefined)[];
}

/**
 * The activations of a run with what they waited for, in the order of starting.
 *
 * Directors name most inputs by their artifact. When several activations have made the same one, as those do that change nothing, the
 * one whose end let the reader start is meant, else the last one to end before.
 */
export function readActivations(events: Iterable<RunEvent>): LoggedActivation[] {
  const logged: LoggedActivation[] = [];
  const outputs = new Map<number, string>();
  const makers = new Map<string, number>();
  for (const event of events) {
    if (event.kind === "activation.settled" && event.artifact !== undefined) {
      outputs.set(event.activation, event.artifact.hash);
      makers.set(event.artifact.hash, event.activation);
    }
    if (event.kind !== "step") continue;
    const cause = event.cause.kind === "settled" ? event.cause.activation : undefined;
    const makerOf = (input: ActivationInput): number | undefined => {
      if ("from" in input) return input.from;
      const isOfCause = cause !== undefined && outputs.get(cause) === input.ref.hash;
      return isOfCause ? cause : makers.get(input.ref.hash);
    };
    for (const activation of event.step.start) {
      const made = activation.inputs.map(makerOf);
      const parents = new Set([
        ...parentsOf(activation),
        ...made.filter((id) => id !== undefined),
        ...(cause === undefined ? [] : [cause]),
      ]);
      logged[activation.id] = { activation, parents: [...parents], makers: made };
    }
  }
  return logged;
}

/** The depth of each activation: edges of the longest path that leads to it. Parents have lower ids. */
export function depthsOf(logged: readonly LoggedActivation[], weight: (of: LoggedActivation) => number = () => 1): number[] {
  const ends: number[] = [];
  for (const [id, one] of logged.entries()) {
    const before = one.parents.reduce((most, parent) => Math.max(most, ends[parent] ?? 0), 0);
    ends[id] = before + weight(one);
  }
  return ends.map((end, id) => end - weight(logged[id] as LoggedActivation));
}

/** Measures the graph of activations. O(V + E). */
export function measureActivations(logged: readonly LoggedActivation[]): GraphMeasures {
  const nodes = logged.length;
  const edges = logged.reduce((sum, { parents }) => sum + parents.length, 0);
  const perDepth = new Map<number, number>();
  for (const depth of depthsOf(logged)) perDepth.set(depth, (perDepth.get(depth) ?? 0) + 1);
  return {
    nodes,
    edges,
    density: nodes < 2 ? 0 : edges / ((nodes * (nodes - 1)) / 2),
    depth: Math.max(0, perDepth.size - 1),
    width: Math.max(0, ...perDepth.values()),
  };
}

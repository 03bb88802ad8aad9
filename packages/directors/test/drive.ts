import {
  type Activation,
  type ActivationDraft,
  type Artifact,
  type ArtifactRef,
  activation,
  type Director,
  type RunView,
  type Step,
} from "@troupe/schema";
import { canonicalJson, createRandom, noUsage, publicTask } from "@troupe/schema";
import { bundleTopology, type CompiledGraph } from "@troupe/topology";

const card = (name: string, kind: string) => ({ agent: 1, name, kind, instructions: "Work." });
/** A card of each kind. */
export const cards = {
  "actor.yaml": card("actor", "actor"),
  "critic.yaml": card("critic", "critic"),
  "merger.yaml": card("merger", "aggregator"),
};
/** Defaults that make any graph run. */
export const defaults = { actor: "actor.yaml", critic: "critic.yaml", aggregator: "merger.yaml" };

/** Compiles a graph given as an object. */
export function graphOf(file: Record<string, unknown>, graphs?: Record<string, unknown>): CompiledGraph {
  const compiled = bundleTopology({ file: { troupe: 1, name: "test", defaults, ...file }, cards, graphs }).graph;
  if (compiled.director !== "graph") throw new Error("not a graph");
  return compiled;
}

/** Does the work of an activation; undefined: its answer can't be used. */
export type Worker = (of: Activation, read: (name: string) => Artifact[]) => Artifact | undefined;

/** How a run is driven. */
export interface DriveOptions {
  /** Takes the next of the ready ids; default: the oldest. */
  readonly order?: (ready: number[]) => number | undefined;
  readonly task?: Record<string, unknown>;
}

/** Drives a director without an engine. Whatever is ready settles one after another; cancelled activations settle as cancelled. */
export function drive(director: Director, answer: Worker, { order = (ready) => ready.shift(), task = {} }: DriveOptions = {}) {
  const activations: Activation[] = [];
  const stored = new Map<string, Artifact>();
  const refs = new Map<string, ArtifactRef>();
  const outputs = new Map<number, ArtifactRef>();
  const put = (artifact: Artifact): ArtifactRef => {
    const key = canonicalJson(artifact);
    const ref = refs.get(key) ?? { hash: refs.size.toString(16).padStart(64, "0"), kind: artifact.kind, bytes: key.length };
    refs.set(key, ref);
    stored.set(ref.hash, artifact);
    return ref;
  };
  const read = (ref: ArtifactRef): Artifact => {
    const artifact = stored.get(ref.hash);
    if (artifact === undefined) throw new Error(`nobody kept ${ref.hash}`);
    return artifact;
  };
  const view: RunView = {
    run: "test",
    seed: 1,
    task: publicTask.parse({ id: "t", prompt: "p", output: "text", ...task }),
    taskRef: put({ kind: "text", text: "p" }),
    from: undefined,
    usage: noUsage,
    get nextId() {
      return activations.length;
    },
    activation: (id) => activations[id] as Activation,
    state: (id) => (outputs.has(id) ? "done" : "running"),
    output: (id) => outputs.get(id),
    read,
    put,
    random: (key) => createRandom(1, key),
  };
  const ready: number[] = [];
  const cancelled: number[] = [];
  /** How many activations there were when each was cancelled, those of the same step included. */
  const cancelledAt = new Map<number, number>();
  const finishes: NonNullable<Step["finish"]>[] = [];
  const apply = (step: Step): void => {
    // As the engine does: what a step starts it can't cancel, and what has ended is left alone.
    for (const id of step.cancel ?? []) if (!ready.includes(id)) throw new Error(`cancels ${id}, which is not under way`);
    for (const draft of step.start ?? ([] as ActivationDraft[])) {
      ready.push(activations.length);
      activations.push(activation.parse({ ...draft, id: activations.length }));
    }
    for (const id of step.cancel ?? []) {
      cancelled.push(id);
      cancelledAt.set(id, activations.length);
      ready.splice(ready.indexOf(id), 1);
    }
    if (step.finish !== undefined) finishes.push(step.finish);
    for (const activation of step.cancel ?? []) {
      const answer = director.settled({ activation, state: "cancelled" }, view);
      if (finishes.length === 0 && Object.keys(answer).length > 0) throw new Error(`goes on with ${activation}, which it has cancelled`);
    }
  };
  apply(director.start(view));
  for (let id = order(ready); id !== undefined && finishes.length === 0; id = order(ready)) {
    const of = activations[id] as Activation;
    const inputs = (name: string) => of.inputs.flatMap((input) => (input.name === name && "ref" in input ? [read(input.ref)] : []));
    const answered = answer(of, inputs);
    const error = { code: "answer_unusable", message: "only prose", retryable: false };
    if (answered !== undefined) outputs.set(id, put(answered));
    const artifact = outputs.get(id);
    apply(
      director.settled(
        artifact === undefined ? { activation: id, state: "failed", error } : { activation: id, state: "done", artifact },
        view,
      ),
    );
  }
  return { activations, finish: finishes[0], finishes, read, cancelled, cancelledAt, idle: () => director.idle(view) };
}

/** The text of an artifact. */
export const textOf = (artifact: Artifact | undefined): string => (artifact?.kind === "text" ? artifact.text : "");

/** What a critic answers. */
export const verdictOf = (word: "accept" | "revise"): Artifact => ({ kind: "json", value: { verdict: word, critique: "more" } });

/** Every actor signs what it was given; a merger joins the signatures. */
export function sign(word: "accept" | "revise"): Worker {
  return (of, inputs) => {
    if (of.meta["step"] === "critique") return verdictOf(word);
    const signed = [...inputs("artifact"), ...inputs("candidate")].flatMap((artifact) => textOf(artifact).split(","));
    return {
      kind: "text",
      text: [...new Set([...signed, of.meta["step"] === "merge" ? "" : String(of.meta["node"])])].filter(Boolean).sort().join(","),
    };
  };
}

import type { ActivationDraft, ActivationInput, ArtifactRef, HumanWork, RunView } from "@troupe/schema";
import type { CompiledEdge, CompiledGraph, CompiledNode } from "@troupe/topology";
import { previousFor } from "./previous-for.ts";

/** What an agent is given beside what it works on. */
export interface Beside {
  readonly contexts: readonly ArtifactRef[];
  readonly history?: readonly ArtifactRef[];
}

/** Who merges where. */
export interface Merger {
  /** The node, or the end of the graph. */
  readonly at: number;
  readonly agent: string | undefined;
  readonly model: string | undefined;
}

/** Which of an edge's actors its critic talks with. */
export interface TalkSide {
  readonly edge: CompiledEdge;
  readonly side: "source" | "target";
}

/** Makes the activations of a walk: who works, on which named inputs, and how urgent it is. */
export class DraftMaker {
  readonly #graph: CompiledGraph;
  readonly #scope: string;
  readonly #ahead: number;
  readonly #entry: ArtifactRef | undefined;

  constructor(graph: CompiledGraph, { scope, ahead, entry }: { scope: string; ahead: number; entry: ArtifactRef | undefined }) {
    this.#graph = graph;
    this.#scope = scope;
    this.#ahead = ahead;
    this.#entry = entry;
  }

  /** A node acts that no artifact of this graph has reached. */
  act(node: CompiledNode, contexts: readonly ArtifactRef[], view: RunView): ActivationDraft {
    const given = this.#entry === undefined ? previousFor(view) : [...previousFor(view, this.#entry.kind), named("artifact", this.#entry)];
    const inputs = [task(view), ...who(node, view), ...beside({ contexts }), ...given];
    return { ...actor(node), ...this.#head(node.id, node.height, { node: node.id, step: "act" }), inputs };
  }

  wait(
    node: CompiledNode,
    wait: HumanWork,
    given: { artifact: ArtifactRef | undefined; contexts: readonly ArtifactRef[] },
    view: RunView,
  ): ActivationDraft {
    const shown = given.artifact === undefined ? [] : [named("artifact", given.artifact)];
    const inputs = [task(view), ...beside(given), ...shown];
    return { kind: "wait", wait, ...this.#head(node.id, node.height, { node: node.id, step: "wait" }), inputs };
  }

  critique({ edge, side }: TalkSide, round: number, artifact: ArtifactRef, view: RunView): ActivationDraft {
    const { critic, model } = edge.rule;
    const { temperature } = this.#node(side === "source" ? edge.from : edge.to);
    const settings = without({ agent: critic, model, temperature });
    const inputs = [task(view), ...who(edge.rule, view), named("artifact", artifact)];
    return { kind: "act", ...settings, ...this.#edgeHead(edge, "critique", round, side), inputs };
  }

  refine({ edge, side }: TalkSide, round: number, of: { artifact: ArtifactRef; critique: ArtifactRef }, view: RunView): ActivationDraft {
    const node = this.#node(side === "source" ? edge.from : edge.to);
    const previous = previousFor(view, of.artifact.kind);
    const inputs = [task(view), ...who(node, view), ...previous, named("artifact", of.artifact), named("critique", of.critique)];
    return { ...actor(node), ...this.#edgeHead(edge, "refine", round, side), inputs };
  }

  develop(
    edge: CompiledEdge,
    of: Beside & { artifact: ArtifactRef; instruction: ArtifactRef | undefined },
    view: RunView,
  ): ActivationDraft {
    const node = this.#node(edge.to);
    const instruction = of.instruction === undefined ? [] : [named("instruction", of.instruction)];
    const previous = previousFor(view, of.artifact.kind);
    const inputs = [task(view), ...who(node, view), ...beside(of), ...previous, named("artifact", of.artifact), ...instruction];
    return { ...actor(node), ...this.#edgeHead(edge, "develop", 0), inputs };
  }

  /** One copy of a map edge's target. */
  item(edge: CompiledEdge, of: Beside & { item: ArtifactRef; number: number }, view: RunView): ActivationDraft {
    const node = this.#node(edge.to);
    const given = named(of.item.kind === "files" ? "artifact" : "item", of.item);
    const inputs = [task(view), ...who(node, view), ...beside(of), ...previousFor(view, of.item.kind), given];
    const head = this.#edgeHead(edge, "map", 0);
    return { ...actor(node), ...head, label: `${head.label} ${of.number}`, meta: { ...head.meta, item: of.number }, inputs };
  }

  merge({ at, agent, model }: Merger, candidates: readonly ArtifactRef[], view: RunView): ActivationDraft {
    const node = this.#graph.nodes[at];
    const settings = without({ agent, model, temperature: node?.temperature ?? this.#graph.productTemperature });
    const head = this.#head(`${node?.id ?? "product"} merge`, node?.height ?? 0, { node: node?.id ?? "", step: "merge" });
    return { kind: "act", ...settings, ...head, inputs: [task(view), ...candidates.map((ref) => named("candidate", ref))] };
  }

  /** Tries all candidates out; its output is the best of them. */
  best(node: CompiledNode, candidates: readonly ArtifactRef[], view: RunView): ActivationDraft {
    const head = this.#head(`${node.id} best of ${candidates.length}`, node.height, { node: node.id, step: "best" });
    return { kind: "score", ...head, inputs: [task(view), ...candidates.map((ref) => named("candidate", ref))] };
  }

  #head(label: string, height: number, meta: NonNullable<ActivationDraft["meta"]>) {
    const scope = this.#scope === "" ? {} : { scope: this.#scope };
    return { ...scope, label: this.#scope === "" ? label : `${this.#scope}: ${label}`, priority: this.#ahead + height, meta };
  }

  #edgeHead(edge: CompiledEdge, step: "critique" | "refine" | "develop" | "map", round: number, side: TalkSide["side"] = "source") {
    const from = this.#node(edge.from);
    const to = this.#node(edge.to);
    const rounds = side === "source" ? edge.rule.rounds : edge.rule.targetRounds;
    const name = `${from.id}→${to.id} ${step}${side === "target" ? " target" : ""}`;
    const node = step === "refine" && side === "source" ? from.id : to.id;
    const meta = { node, from: from.id, to: to.id, step, ...(round > 0 ? { round } : {}), ...(side === "target" ? { side } : {}) };
    return this.#head(round > 0 && rounds > 1 ? `${name} ${round}` : name, to.height + 1, meta);
  }

  #node(index: number): CompiledNode {
    const node = this.#graph.nodes[index];
    if (node === undefined) throw new RangeError(`The graph has no node ${index}.`);
    return node;
  }
}

const named = (name: string, ref: ArtifactRef): ActivationInput => ({ name, ref });
const task = (view: RunView): ActivationInput => named("task", view.taskRef);

function beside({ contexts, history = [] }: Beside): ActivationInput[] {
  return [...history.map((ref) => named("history", ref)), ...contexts.map((ref) => named("context", ref))];
}

/** Who an agent is besides its card. */
function who({ profile }: Pick<CompiledNode, "profile">, view: RunView): ActivationInput[] {
  return profile === undefined ? [] : [named("profile", view.put({ kind: "text", text: profile.text }))];
}

function actor({ agent, model, temperature }: CompiledNode) {
  return { kind: "act" as const, ...without({ agent, model }), temperature };
}

function without<T extends Record<string, unknown>>(of: T): { [K in keyof T]?: Exclude<T[K], undefined> } {
  return Object.fromEntries(Object.entries(of).filter(([, value]) => value !== undefined)) as { [K in keyof T]?: Exclude<T[K], undefined> };
}

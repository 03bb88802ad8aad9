import { type ActivationDraft, type ArtifactRef, type Director, type RunView, type Settled, type Step, verdict } from "@troupe/schema";
import type { CompiledEdge, CompiledGraph, CompiledNode } from "@troupe/topology";
import { Drafts } from "./drafts.ts";
import { failedStep } from "./failed-step.ts";
import { Join } from "./join.ts";
import { passedOn } from "./passed-on.ts";
import { previousFor } from "./previous-for.ts";

/** What an activation of this director is for, so that its end can be taken further. */
type Purpose =
  | { readonly step: "act"; readonly node: number }
  | { readonly step: "critique"; readonly edge: CompiledEdge; readonly round: number; readonly artifact: ArtifactRef }
  | { readonly step: "refine"; readonly edge: CompiledEdge; readonly round: number; readonly critique: ArtifactRef }
  | { readonly step: "develop"; readonly edge: CompiledEdge }
  | { readonly step: "merge"; readonly node: number; readonly place: number };

/**
 * MacNet (arXiv 2406.07155, section 3) over a compiled graph. Every source acts on the task. An edge i→j is two interactions: its critic
 * and actor i refine the artifact for up to `rounds` rounds, ended early by `accept`; then actor j develops it by the critic's instruction.
 * Where several artifacts meet they are merged hierarchically. Only the artifact crosses an edge, no dialogue does.
 * An edge starts as soon as its source's artifact exists: no branch waits for another.
 */
export class GraphDirector implements Director {
  readonly #graph: CompiledGraph;
  readonly #purposes = new Map<number, Purpose>();
  /** Joins that still wait, by node; the sinks' join stands behind the last node. */
  readonly #joins = new Map<number, Join>();
  /** Place of each edge among the edges into its target. */
  readonly #edgePlace: Int32Array;
  readonly #sinkPlace: ReadonlyMap<number, number>;
  #best: { readonly artifact: ArtifactRef; readonly depth: number } | undefined;

  constructor(graph: CompiledGraph) {
    this.#graph = graph;
    this.#sinkPlace = new Map(graph.sinks.map((node, place) => [node, place]));
    this.#edgePlace = placesOfEdges(graph);
  }

  start(view: RunView): Step {
    const drafts = new Drafts(view, this.#purposes);
    const inputs = [task(view), ...previousFor(view)];
    for (const index of this.#graph.sources) {
      const node = this.#node(index);
      drafts.add(
        { step: "act", node: index },
        { ...actorOf(node), inputs, label: node.id, priority: node.height, meta: { node: node.id, step: "act" } },
      );
    }
    return drafts.step();
  }

  settled(done: Settled, view: RunView): Step {
    const purpose = this.#purposes.get(done.activation);
    this.#purposes.delete(done.activation);
    if (purpose === undefined) return {};
    const wanted = purpose.step === "critique" ? undefined : view.task.output;
    const output = done.artifact ?? passedOn(done, view.activation(done.activation), wanted);
    if (output === undefined) return failedStep(done, view, this.best());
    const drafts = new Drafts(view, this.#purposes);
    const product = this.#advance(purpose, output, drafts);
    return product === undefined ? drafts.step() : { finish: { kind: "completed", artifact: product } };
  }

  notice(): Step {
    return {};
  }

  idle(): { deadlocked: string[] } {
    return {
      deadlocked: [...this.#joins].map(
        ([node, join]) => `${this.#joinName(node)} waits for ${join.missing} of ${join.candidates} artifacts`,
      ),
    };
  }

  best(): ArtifactRef | undefined {
    return this.#best?.artifact;
  }

  /** Takes an output further, or what was passed on in its place; answers with the product once it is there. */
  #advance(purpose: Purpose, output: ArtifactRef, drafts: Drafts<Purpose>): ArtifactRef | undefined {
    switch (purpose.step) {
      case "act":
        return this.#nodeDone(purpose.node, output, drafts);
      case "critique":
        if (output.hash === purpose.artifact.hash) this.#develop(purpose.edge, purpose.artifact, undefined, drafts);
        else if (accepts(output, drafts.view)) this.#develop(purpose.edge, purpose.artifact, output, drafts);
        else this.#refine(purpose, output, drafts);
        return undefined;
      case "refine":
        this.#keep(output, purpose.edge.from);
        if (purpose.round < purpose.edge.rounds) this.#critique(purpose.edge, purpose.round + 1, output, drafts);
        else this.#develop(purpose.edge, output, purpose.critique, drafts);
        return undefined;
      case "develop":
        return this.#put(purpose.edge.to, this.#edgePlace[purpose.edge.index] ?? 0, output, drafts);
      case "merge":
        return this.#put(purpose.node, purpose.place, output, drafts);
    }
  }

  /** The artifact of a node exists: it goes down every edge, or into the join of the sinks. */
  #nodeDone(index: number, artifact: ArtifactRef, drafts: Drafts<Purpose>): ArtifactRef | undefined {
    this.#keep(artifact, index);
    const sink = this.#sinkPlace.get(index);
    if (sink !== undefined) return this.#put(this.#graph.nodes.length, sink, artifact, drafts);
    const { edges, outStart } = this.#graph;
    for (const edge of edges.slice(outStart[index], outStart[index + 1])) {
      if (edge.rounds > 0) this.#critique(edge, 1, artifact, drafts);
      else this.#develop(edge, artifact, undefined, drafts);
    }
    return undefined;
  }

  /** An artifact arrives at a join: the one of a node, or that of all sinks, which gives the product. */
  #put(node: number, place: number, artifact: ArtifactRef, drafts: Drafts<Purpose>): ArtifactRef | undefined {
    const join = this.#joins.get(node) ?? new Join(this.#candidatesAt(node), this.#graph.groupSize);
    this.#joins.set(node, join);
    const { ready, result } = join.put(place, artifact);
    if (ready !== undefined) this.#merge(node, ready.place, ready.candidates, drafts);
    if (result === undefined) return undefined;
    this.#joins.delete(node);
    return node === this.#graph.nodes.length ? result : this.#nodeDone(node, result, drafts);
  }

  #critique(edge: CompiledEdge, round: number, artifact: ArtifactRef, drafts: Drafts<Purpose>): void {
    const draft = this.#edgeDraft(edge, "critique", round);
    const inputs = [task(drafts.view), { name: "artifact", ref: artifact }];
    const critic = { agent: edge.critic, model: edge.model, temperature: this.#node(edge.from).temperature };
    drafts.add({ step: "critique", edge, round, artifact }, { ...draft, ...withoutUndefined(critic), inputs });
  }

  #refine(at: Extract<Purpose, { step: "critique" }>, critique: ArtifactRef, drafts: Drafts<Purpose>): void {
    const draft = this.#edgeDraft(at.edge, "refine", at.round);
    const previous = previousFor(drafts.view, at.artifact.kind);
    const inputs = [task(drafts.view), ...previous, { name: "artifact", ref: at.artifact }, { name: "critique", ref: critique }];
    drafts.add({ step: "refine", edge: at.edge, round: at.round, critique }, { ...draft, ...actorOf(this.#node(at.edge.from)), inputs });
  }

  #develop(edge: CompiledEdge, artifact: ArtifactRef, instruction: ArtifactRef | undefined, drafts: Drafts<Purpose>): void {
    const draft = this.#edgeDraft(edge, "develop", 0);
    const inputs = [
      task(drafts.view),
      ...previousFor(drafts.view, artifact.kind),
      { name: "artifact", ref: artifact },
      ...(instruction === undefined ? [] : [{ name: "instruction", ref: instruction }]),
    ];
    drafts.add({ step: "develop", edge }, { ...draft, ...actorOf(this.#node(edge.to)), inputs });
  }

  #merge(node: number, place: number, candidates: readonly ArtifactRef[], drafts: Drafts<Purpose>): void {
    const { nodes, aggregator: agent, aggregatorModel: model, productTemperature } = this.#graph;
    const at = nodes[node];
    const settings = { agent, model, temperature: at?.temperature ?? productTemperature };
    const inputs = [task(drafts.view), ...candidates.map((ref) => ({ name: "candidate", ref }))];
    const label = `${this.#joinName(node)} merge`;
    const meta = { node: at?.id ?? "", step: "merge" };
    drafts.add(
      { step: "merge", node, place },
      { kind: "act", ...withoutUndefined(settings), inputs, label, priority: at?.height ?? 0, meta },
    );
  }

  #edgeDraft(edge: CompiledEdge, step: "critique" | "refine" | "develop", round: number) {
    const from = this.#node(edge.from);
    const to = this.#node(edge.to);
    const label = round > 0 && edge.rounds > 1 ? `${from.id}→${to.id} ${step} ${round}` : `${from.id}→${to.id} ${step}`;
    const node = step === "refine" ? from.id : to.id;
    return {
      kind: "act" as const,
      label,
      priority: to.height + 1,
      meta: { node, from: from.id, to: to.id, step, ...(round > 0 ? { round } : {}) },
    };
  }

  /** Remembers the deepest artifact, for runs that end early. */
  #keep(artifact: ArtifactRef, index: number): void {
    const { depth } = this.#node(index);
    if (this.#best === undefined || depth >= this.#best.depth) this.#best = { artifact, depth };
  }

  #candidatesAt(node: number): number {
    return node === this.#graph.nodes.length ? this.#graph.sinks.length : (this.#graph.inDegree[node] ?? 0);
  }

  #joinName(node: number): string {
    return this.#graph.nodes[node]?.id ?? "product";
  }

  #node(index: number): CompiledNode {
    const node = this.#graph.nodes[index];
    if (node === undefined) throw new RangeError(`The graph has no node ${index}.`);
    return node;
  }
}

const task = (view: RunView) => ({ name: "task", ref: view.taskRef });

function actorOf(node: CompiledNode): Pick<ActivationDraft, "kind" | "agent" | "temperature"> & { model?: string } {
  return { kind: "act", agent: node.agent, temperature: node.temperature, ...(node.model === undefined ? {} : { model: node.model }) };
}

function accepts(ref: ArtifactRef, view: RunView): boolean {
  const answer = view.read(ref);
  return answer.kind === "json" && verdict.safeParse(answer.value).data?.verdict === "accept";
}

function placesOfEdges(graph: CompiledGraph): Int32Array {
  const places = new Int32Array(graph.edges.length);
  const seen = new Int32Array(graph.nodes.length);
  for (const edge of graph.edges) {
    const place = seen[edge.to] ?? 0;
    places[edge.index] = place;
    seen[edge.to] = place + 1;
  }
  return places;
}

function withoutUndefined<T extends Record<string, unknown>>(of: T): { [K in keyof T]?: Exclude<T[K], undefined> } {
  return Object.fromEntries(Object.entries(of).filter(([, value]) => value !== undefined)) as { [K in keyof T]?: Exclude<T[K], undefined> };
}

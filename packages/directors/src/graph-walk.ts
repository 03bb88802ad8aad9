import { type ActivationDraft, type ArtifactRef, type RunView, TroupeError } from "@troupe/schema";
import type { CompiledEdge, CompiledGraph, CompiledNode } from "@troupe/topology";
import { DraftMaker } from "./draft-maker.ts";
import type { Drafts, Pending } from "./drafts.ts";
import { type ConditionPlace, type EdgeHost, EdgeTalks, type ItemDone } from "./edge-talks.ts";
import { GraphWays } from "./graph-ways.ts";
import { type Meeting, Meetings } from "./meetings.ts";

/** Where a walk stands in the run. */
export interface WalkPlace {
  /** Name of its scope; the run's own is empty. */
  readonly scope: string;
  /** What its sources develop; undefined: they begin with the task alone. */
  readonly entry: ArtifactRef | undefined;
  /** Round of the innermost loop, from 1; 0 outside. */
  readonly round: number;
  /** Longest path from the end of this walk to the end of the run. */
  readonly ahead: number;
  /** Told the product, or undefined when no node that ends the graph was reached. */
  readonly done: ItemDone;
  /** Told of each artifact that may be the best so far. */
  readonly keep: (artifact: ArtifactRef, depth: number) => void;
}

/** How many notes of a kind a walk keeps. */
const mostNotes = 100;

/**
 * One walk through a compiled graph (MacNet, arXiv 2406.07155, section 3), from its sources to the product. Every source acts on the task;
 * what a node makes goes down its edges ({@link EdgeTalks}), and where several artifacts meet they are merged ({@link Meetings}). An edge
 * starts as soon as its source's artifact exists: no branch waits for another. A graph inside a node is a walk of its own, in a scope of its own.
 */
export class GraphWalk implements Meeting, EdgeHost {
  readonly live = new Map<number, Pending>();
  readonly #ways: GraphWays;
  readonly #place: WalkPlace;
  readonly #make: DraftMaker;
  readonly #meetings: Meetings;
  readonly #talks: EdgeTalks;
  /** Walks of graphs inside nodes that have not ended, by node. */
  readonly #inner = new Map<number, Set<GraphWalk>>();
  /** What nodes have made; only kept where it is asked for. */
  readonly #made = new Map<number, ArtifactRef>();
  readonly #notes: string[] = [];
  /** What graphs inside nodes said that came to no end, and how much was left out. */
  readonly #innerNotes: string[] = [];
  #unnoted = 0;

  constructor(graph: CompiledGraph, place: WalkPlace) {
    this.#ways = GraphWays.of(graph);
    this.#place = place;
    this.#make = new DraftMaker(graph, place);
    const parts = { ways: this.#ways, make: this.#make };
    this.#meetings = new Meetings(this, parts);
    this.#talks = new EdgeTalks(this, { ...parts, meetings: this.#meetings });
  }

  start(drafts: Drafts): void {
    for (const index of this.#ways.graph.sources) this.begin(this.#ways.node(index), drafts);
  }

  settled(id: number, output: ArtifactRef | undefined, drafts: Drafts): void {
    const pending = this.live.get(id);
    this.live.delete(id);
    if (output === undefined) pending?.lost?.(drafts);
    else pending?.next(output, drafts);
  }

  /** The answer that is ahead at a vote that is still open, for runs that end early. */
  get leading(): ArtifactRef | undefined {
    return this.#meetings.leading;
  }

  /** Who waits for what, when nothing goes on, and which ways were not taken. */
  waiting(): string[] {
    const inner = [...this.#inner.values()].flatMap((walks) => [...walks].flatMap((walk) => walk.waiting()));
    const more = this.#unnoted === 0 ? [] : [`and ${this.#unnoted} more of this kind`];
    const own = [...this.#meetings.waiting(), ...this.#notes, ...more];
    const { scope } = this.#place;
    return [...own.map((line) => (scope === "" ? line : `${scope}: ${line}`)), ...this.#innerNotes, ...inner];
  }

  /** Stops everything: its product is of no interest any more. */
  abandon(drafts: Drafts): void {
    this.#meetings.abandonAll();
    for (const id of [...this.live.keys()]) drafts.cancel(this, id);
    for (const node of [...this.#inner.keys()]) this.abandonInner(node, drafts);
  }

  abandonInner(node: number, drafts: Drafts): void {
    for (const walk of this.#inner.get(node) ?? []) walk.abandon(drafts);
    this.#inner.delete(node);
  }

  begin(node: CompiledNode, drafts: Drafts): void {
    const { work } = node;
    const { entry } = this.#place;
    if (work.kind === "agent") this.#start(node, this.#make.act(node, this.#meetings.contextsAt(node.index), drafts.view), drafts);
    else if (work.kind === "literal") this.nodeDone(node, drafts.view.put(work.artifact), drafts);
    else if (entry !== undefined) this.work(node, entry, drafts);
    else if (work.kind === "pass" || work.kind === "vote" || work.kind === "best") this.skip(node, `${node.id} was given nothing`, drafts);
    else this.#workOn(node, undefined, drafts);
  }

  work(node: CompiledNode, artifact: ArtifactRef, drafts: Drafts): void {
    const { kind } = node.work;
    if (kind === "human" || kind === "graph" || kind === "loop") this.#workOn(node, artifact, drafts);
    else this.nodeDone(node, artifact, drafts);
  }

  nodeDone(node: CompiledNode, artifact: ArtifactRef, drafts: Drafts): void {
    this.keep(artifact, node);
    if (this.#ways.graph.memory === "history") this.#made.set(node.index, artifact);
    drafts.later((drafts) => {
      const edges = this.#ways.edgesOf(node.index);
      if (edges.length === 0) this.#meetings.arrive(this.#ways.ending(node.index), artifact, drafts);
      for (const edge of edges) this.#talks.begin(edge, artifact, drafts);
    });
  }

  skip(node: CompiledNode, why: string | undefined, drafts: Drafts): void {
    if (why !== undefined) this.note(why);
    drafts.later((drafts) => {
      const edges = this.#ways.edgesOf(node.index);
      if (edges.length === 0) this.#meetings.miss(this.#ways.ending(node.index), undefined, drafts);
      for (const edge of edges) this.#meetings.miss(this.#ways.into(edge), edge.rule, drafts);
    });
  }

  end(product: ArtifactRef | undefined, drafts: Drafts): void {
    this.#place.done(product, drafts);
  }

  keep(artifact: ArtifactRef, node: CompiledNode): void {
    this.#place.keep(artifact, node.depth);
  }

  note(line: string): void {
    this.#keepNote(this.#notes, line);
  }

  /** A list of ten thousand items may give as many notes; nobody reads them all. */
  #keepNote(notes: string[], line: string): void {
    if (notes.length < mostNotes) notes.push(line);
    else this.#unnoted++;
  }

  get scope(): string {
    return this.#place.scope;
  }

  holds(condition: NonNullable<CompiledEdge["rule"]["when"]>, artifact: ArtifactRef, view: RunView, at: ConditionPlace): boolean {
    const { inputTokens, outputTokens, calls } = view.usage;
    const { scope, round } = this.#place;
    try {
      return condition.holds({ artifact: view.read(artifact), round: at.round ?? round, tokens: inputTokens + outputTokens, calls });
    } catch (thrown) {
      if (!(thrown instanceof TroupeError)) throw thrown;
      throw new TroupeError(thrown.code, `${scope === "" ? "" : `${scope}: `}${at.place} is undecided. ${thrown.message}`, {
        cause: thrown,
      });
    }
  }

  historyOf(node: number): ArtifactRef[] {
    if (this.#ways.graph.memory === "artifact") return [];
    return this.#ways.ancestorsOf(node).flatMap((before) => this.#made.get(before) ?? []);
  }

  openFor(node: CompiledNode, { ref, number }: { ref: ArtifactRef; number: number }, done: ItemDone, drafts: Drafts): void {
    this.#enter(node, { name: `${node.id}[${number}]`, entry: ref }, done, drafts);
  }

  /** A person, a graph or a loop works at a node. */
  #workOn(node: CompiledNode, artifact: ArtifactRef | undefined, drafts: Drafts): void {
    if (node.work.kind === "human") {
      const given = { artifact, contexts: this.#meetings.contextsAt(node.index) };
      this.#start(node, this.#make.wait(node, node.work.wait, given, drafts.view), drafts);
      return;
    }
    const done: ItemDone = (product, drafts) => {
      if (product === undefined) this.skip(node, `no end of the graph in ${node.id} was reached`, drafts);
      else this.nodeDone(node, product, drafts);
    };
    this.#enter(node, { name: node.id, entry: artifact }, done, drafts);
  }

  /** A graph, or all rounds of a loop, works on an artifact. */
  #enter(node: CompiledNode, { name, entry }: { name: string; entry: ArtifactRef | undefined }, done: ItemDone, drafts: Drafts): void {
    const { work } = node;
    if (work.kind === "graph") this.#open(node, { name, entry, round: this.#place.round }, done, drafts);
    if (work.kind !== "loop") return;
    const turn = (round: number, entry: ArtifactRef | undefined, drafts: Drafts): void => {
      const next: ItemDone = (product, drafts) => {
        const at = { place: `The end of the loop ${name} after round ${round}`, round };
        const isOver = product === undefined || round >= work.times || (work.until && this.holds(work.until, product, drafts.view, at));
        // A round that makes nothing leaves what the one before it made.
        if (isOver === true) done(product ?? entry, drafts);
        else turn(round + 1, product, drafts);
      };
      drafts.beginRound(node.id);
      this.#open(node, { name: `${name}#${round}`, entry, round }, next, drafts);
    };
    turn(1, entry, drafts);
  }

  /** Starts a walk through the graph of a node. */
  #open(node: CompiledNode, inner: Pick<WalkPlace, "entry" | "round"> & { readonly name: string }, done: ItemDone, drafts: Drafts): void {
    if (node.work.kind !== "graph" && node.work.kind !== "loop") return;
    const { scope, ahead } = this.#place;
    const walks = this.#inner.get(node.index) ?? new Set();
    this.#inner.set(node.index, walks);
    const walk: GraphWalk = new GraphWalk(node.work.body, {
      ...inner,
      scope: scope === "" ? inner.name : `${scope}/${inner.name}`,
      ahead: ahead + node.height,
      keep: (artifact) => this.keep(artifact, node),
      done: (product, drafts) => {
        walks.delete(walk);
        if (product === undefined) for (const line of walk.waiting()) this.#keepNote(this.#innerNotes, line);
        done(product, drafts);
      },
    });
    walks.add(walk);
    walk.start(drafts);
  }

  #start(node: CompiledNode, draft: ActivationDraft, drafts: Drafts): void {
    const isAgent = node.work.kind === "agent";
    const wanted = isAgent ? (this.#ways.outputOf(node.agent) ?? drafts.view.task.output) : undefined;
    const next: Pending["next"] = (output, drafts) => this.nodeDone(node, output, drafts);
    drafts.add(this, { at: node.index, wanted, next, ...(isAgent && { lost: (drafts: Drafts) => this.#lose(node, drafts) }) }, draft);
  }

  /** An actor that began with the task alone has made nothing that can be used: the others go on without it. */
  #lose(node: CompiledNode, drafts: Drafts): void {
    this.skip(node, `${node.id} gave no answer that could be used`, drafts);
  }
}

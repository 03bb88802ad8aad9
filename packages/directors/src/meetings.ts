import type { ArtifactRef, RunView } from "@troupe/schema";
import type { CompiledEdge, CompiledNode } from "@troupe/topology";
import { Arrivals, type SideArrival } from "./arrivals.ts";
import { BallotBox } from "./ballot-box.ts";
import type { DraftMaker, Merger } from "./draft-maker.ts";
import type { Drafts, Owner, Pending } from "./drafts.ts";
import type { Arrival, GraphWays } from "./graph-ways.ts";
import { createJoin, type Join } from "./join.ts";

/** What happens once a node, or the end of the graph, need not wait any longer. */
export interface Meeting extends Owner {
  /** All that arrived at a node has become one artifact. */
  work(node: CompiledNode, artifact: ArtifactRef, drafts: Drafts): void;
  /** The work of a node is done. */
  nodeDone(node: CompiledNode, artifact: ArtifactRef, drafts: Drafts): void;
  /** Only edges that carry nothing have triggered a node. */
  begin(node: CompiledNode, drafts: Drafts): void;
  /** Nothing has triggered a node. */
  skip(node: CompiledNode, why: string | undefined, drafts: Drafts): void;
  /** The product; undefined when no node that ends the graph was reached. */
  end(product: ArtifactRef | undefined, drafts: Drafts): void;
  /** Graphs inside a node are of no interest any more. */
  abandonInner(node: number, drafts: Drafts): void;
}

/** Where artifacts meet: at the nodes and at the end of a graph. They are counted, voted on, or merged as they come (MacNet's aggregation). */
export class Meetings {
  readonly #ways: GraphWays;
  readonly #make: DraftMaker;
  readonly #of: Meeting;
  readonly #joins = new Map<number, Join>();
  readonly #arrivals = new Map<number, Arrivals>();
  readonly #ballots = new Map<number, BallotBox>();
  readonly #abandoned = new Set<number>();

  constructor(of: Meeting, { ways, make }: { ways: GraphWays; make: DraftMaker }) {
    this.#of = of;
    this.#ways = ways;
    this.#make = make;
  }

  /** Whether nothing that arrives at a node is taken any more. */
  isAbandoned(at: number): boolean {
    return this.#abandoned.has(at);
  }

  abandonAll(): void {
    for (let at = 0; at <= this.#ways.graph.nodes.length; at++) this.#abandoned.add(at);
  }

  /** An artifact has come to a node, or to the end. */
  arrive({ at, place }: Arrival, artifact: ArtifactRef, drafts: Drafts): void {
    if (this.#abandoned.has(at)) return;
    const arrivals = this.#arrivalsAt(at);
    if (arrivals === undefined) {
      this.#mergeAt(at, this.#joinAt(at), { place, artifact }, drafts);
    } else if (!arrivals.closed) {
      arrivals.bring(place, artifact);
      this.#ballotsAt(at, drafts.view)?.put(place, drafts.view.read(artifact));
      this.#gather(at, arrivals, drafts);
    }
  }

  /** An edge, or a node that ends the graph, brings nothing. */
  miss(to: Arrival, rule: Pick<CompiledEdge["rule"], "carry" | "trigger"> | undefined, drafts: Drafts): void {
    if (rule !== undefined && (!rule.carry || !rule.trigger)) {
      this.side(to, {}, drafts);
      return;
    }
    if (this.#abandoned.has(to.at)) return;
    const arrivals = this.#arrivalsAt(to.at);
    if (arrivals === undefined) this.#mergeAt(to.at, this.#joinAt(to.at), { place: to.place, artifact: undefined }, drafts);
    else if (!arrivals.closed) {
      arrivals.miss();
      this.#gather(to.at, arrivals, drafts);
    }
  }

  /** An edge has settled that brings nothing to work on. */
  side({ at, place }: Arrival, what: SideArrival, drafts: Drafts): void {
    const arrivals = this.#arrivalsAt(at);
    if (arrivals === undefined || arrivals.closed || this.#abandoned.has(at)) return;
    arrivals.side(place, what, drafts);
    this.#gather(at, arrivals, drafts);
  }

  /** Does something as soon as a node has all that it is given beside its work. */
  afterSides(at: number, work: (drafts: Drafts) => void, drafts: Drafts): void {
    const arrivals = this.#arrivalsAt(at);
    if (arrivals === undefined) work(drafts);
    else arrivals.afterSides(work, drafts);
  }

  /** The work of a node is done that was begun before all of this came together: nothing more is waited for there. */
  close(at: number): void {
    const arrivals = this.#arrivalsAt(at);
    if (arrivals !== undefined) arrivals.closed = true;
  }

  contextsAt(at: number): ArtifactRef[] {
    return this.#arrivals.get(at)?.contexts ?? [];
  }

  /** Merges artifacts by an aggregator until one is left. */
  merge(artifacts: readonly ArtifactRef[], by: Merger & { groupSize: number }, next: Pending["next"], drafts: Drafts): void {
    const join = createJoin(artifacts.length, { groupSize: by.groupSize, groupTokens: this.#ways.graph.groupTokens });
    for (const [place, artifact] of artifacts.entries()) this.#put(join, { place, artifact }, { by, next }, drafts);
  }

  /** The answer that is ahead at a vote that is still open. */
  get leading(): ArtifactRef | undefined {
    for (const [at, box] of this.#ballots) {
      const arrivals = this.#arrivals.get(at);
      const place = box.winner(0);
      if (arrivals?.closed === false && typeof place === "number") return arrivals.at(place);
    }
    return undefined;
  }

  /** Who waits for what. */
  waiting(): string[] {
    const joins = [...this.#joins].map(
      ([at, join]) => `${this.#ways.nameOf(at)} waits for ${join.missing} of ${join.candidates} artifacts`,
    );
    const open = [...this.#arrivals].filter(([, { closed }]) => !closed);
    return [...joins, ...open.map(([at, { missing }]) => `${this.#ways.nameOf(at)} waits for ${missing} more of its edges`)];
  }

  /** Goes on with a node as soon as it need not wait any longer. */
  #gather(at: number, arrivals: Arrivals, drafts: Drafts): void {
    if (arrivals.closed || arrivals.waitsForSides) return;
    const node = this.#ways.graph.nodes[at];
    const isVote = node?.work.kind === "vote";
    const winner = this.#ballotsAt(at, drafts.view)?.winner(arrivals.open);
    if (isVote ? winner === "open" : !arrivals.isEnough) return;
    arrivals.closed = true;
    if (arrivals.open > 0) this.#abandonInto(at, drafts);
    if (node === undefined) this.#endWith(arrivals.artifacts, drafts);
    else if (!arrivals.isTriggered) this.#of.skip(node, undefined, drafts);
    else if (isVote) this.#elect(node, typeof winner === "number" ? arrivals.at(winner) : undefined, drafts);
    else this.#goOn(node, arrivals.artifacts, drafts);
  }

  #endWith(artifacts: readonly ArtifactRef[], drafts: Drafts): void {
    if (artifacts.length === 0) this.#of.end(undefined, drafts);
    else this.#mergeAll(this.#ways.graph.nodes.length, artifacts, drafts);
  }

  #elect(node: CompiledNode, winner: ArtifactRef | undefined, drafts: Drafts): void {
    if (winner === undefined) this.#of.skip(node, `no valid answer came to ${node.id}`, drafts);
    else this.#of.nodeDone(node, winner, drafts);
  }

  #goOn(node: CompiledNode, artifacts: readonly ArtifactRef[], drafts: Drafts): void {
    if (artifacts.length === 0) this.#of.begin(node, drafts);
    else if (node.work.kind === "best" && artifacts.length > 1) this.#pickBest(node, artifacts, drafts);
    else this.#mergeAll(node.index, artifacts, drafts);
  }

  /** The votes that have come to a node; undefined: it is no vote. */
  #ballotsAt(at: number, { task }: RunView): BallotBox | undefined {
    const work = this.#ways.graph.nodes[at]?.work;
    if (work?.kind !== "vote") return undefined;
    const box = this.#ballots.get(at) ?? new BallotBox({ work: work.vote, options: task.choices ?? [] });
    this.#ballots.set(at, box);
    return box;
  }

  #pickBest(node: CompiledNode, artifacts: readonly ArtifactRef[], drafts: Drafts): void {
    const next: Pending["next"] = (best, drafts) => this.#of.nodeDone(node, best, drafts);
    drafts.add(this.#of, { at: node.index, wanted: undefined, next }, this.#make.best(node, artifacts, drafts.view));
  }

  #mergeAll(at: number, artifacts: readonly ArtifactRef[], drafts: Drafts): void {
    const join = createJoin(artifacts.length, this.#ways.graph);
    for (const [place, artifact] of artifacts.entries()) this.#mergeAt(at, join, { place, artifact }, drafts);
  }

  #mergeAt(at: number, join: Join, arrived: Arrived, drafts: Drafts): void {
    const { aggregator: agent, aggregatorModel: model } = this.#ways.graph;
    const next: Pending["next"] = (result, drafts) => {
      this.#joins.delete(at);
      const node = this.#ways.graph.nodes[at];
      if (node === undefined) this.#of.end(result, drafts);
      else this.#of.work(node, result, drafts);
    };
    if (this.#put(join, arrived, { by: { at, agent, model }, next }, drafts)) return;
    this.#joins.delete(at);
    const node = this.#ways.graph.nodes[at];
    if (node === undefined) this.#of.end(undefined, drafts);
    else this.#of.skip(node, undefined, drafts);
  }

  #joinAt(at: number): Join {
    const join = this.#joins.get(at) ?? createJoin(this.#ways.candidatesAt(at), this.#ways.graph);
    this.#joins.set(at, join);
    return join;
  }

  /** Puts an artifact into a join and starts the merges that it completes; false when nothing has come, and nothing will. */
  #put(join: Join, { place, artifact }: Arrived, how: { by: Merger; next: Pending["next"] }, drafts: Drafts): boolean {
    const { ready, result, isEmpty = false } = join.put(place, artifact);
    if (result !== undefined) how.next(result, drafts);
    for (const merge of ready) {
      const next: Pending["next"] = (output, drafts) => void this.#put(join, { place: merge.place, artifact: output }, how, drafts);
      const draft = this.#make.merge(how.by, merge.candidates, drafts.view);
      drafts.add(this.#of, { at: how.by.at, wanted: this.#ways.outputOf(how.by.agent), next }, draft);
    }
    return !isEmpty;
  }

  /** Cancels what works for a node that does not wait for it any more, and upwards whatever serves nobody else. */
  #abandonInto(at: number, drafts: Drafts): void {
    this.#abandoned.add(at);
    const gone = new Set([at]);
    for (const now of gone) {
      for (const node of this.#ways.sourcesOf(now)) {
        if (this.#abandoned.has(node) || !this.#ways.targetsOf(node).every((target) => this.#abandoned.has(target))) continue;
        this.#of.abandonInner(node, drafts);
        this.#abandoned.add(node);
        gone.add(node);
      }
    }
    for (const [id, pending] of this.#of.live) if (gone.has(pending.at)) drafts.cancel(this.#of, id);
  }

  #arrivalsAt(at: number): Arrivals | undefined {
    const known = this.#arrivals.get(at);
    const { nodes, ending } = this.#ways.graph;
    const compiled = at === nodes.length ? ending : nodes[at]?.arrivals;
    if (known !== undefined || compiled === undefined) return known;
    const arrivals = new Arrivals(compiled);
    this.#arrivals.set(at, arrivals);
    return arrivals;
  }
}

interface Arrived {
  readonly place: number;
  /** Undefined: nothing comes there. */
  readonly artifact: ArtifactRef | undefined;
}

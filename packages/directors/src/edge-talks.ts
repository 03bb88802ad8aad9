import { type ArtifactKind, type ArtifactRef, type RunView, TroupeError, verdict } from "@troupe/schema";
import type { CompiledEdge, CompiledNode } from "@troupe/topology";
import type { DraftMaker, TalkSide } from "./draft-maker.ts";
import type { Drafts, Owner, Pending } from "./drafts.ts";
import type { GraphWays } from "./graph-ways.ts";
import type { Meetings } from "./meetings.ts";
import { joinItems, splitArtifact } from "./split-artifact.ts";

/** What the work on edges leads to besides arrivals. */
export interface EdgeHost extends Owner {
  /** Name of the walk in the run; the run's own is empty. */
  readonly scope: string;
  nodeDone(node: CompiledNode, artifact: ArtifactRef, drafts: Drafts): void;
  keep(artifact: ArtifactRef, node: CompiledNode): void;
  /** An edge was not taken, or had nothing to bring. */
  note(line: string): void;
  /** @throws TroupeError `condition_failed` with the place, when the condition asks for what the artifact lacks. */
  holds(condition: NonNullable<CompiledEdge["rule"]["when"]>, artifact: ArtifactRef, view: RunView, at: ConditionPlace): boolean;
  /** What the nodes before one have made; nothing where only the artifact crosses an edge. */
  historyOf(node: number): readonly ArtifactRef[];
  /** A graph inside a node works on one item. */
  openFor(node: CompiledNode, item: { readonly ref: ArtifactRef; readonly number: number }, done: ItemDone, drafts: Drafts): void;
}

/** Where a condition stands. */
export interface ConditionPlace {
  /** Such as `The edge a -> b`. */
  readonly place: string;
  /** Default: the round of the walk. */
  readonly round?: number;
}

/** Told what became of an item; undefined: nothing. */
export type ItemDone = (result: ArtifactRef | undefined, drafts: Drafts) => void;

/** One of the two interactions of an edge: its critic and one of its actors. */
interface Talk extends TalkSide {
  readonly rounds: number;
  /** Told the artifact in the end, and the critic's last word when it had one. */
  readonly done: (artifact: ArtifactRef, lastWord: ArtifactRef | undefined, drafts: Drafts) => void;
}

/**
 * The two interactions of an edge i→j (MacNet, arXiv 2406.07155, section 3.2): critic and actor i talk for up to `rounds` rounds; then actor j
 * develops the artifact further by the critic's instruction, and critic and actor j talk for up to `targetRounds` rounds. Each ends early when
 * the critic accepts. A map edge does the second one's step for each item, a reduce edge merges the items.
 */
export class EdgeTalks {
  readonly #of: EdgeHost;
  readonly #ways: GraphWays;
  readonly #make: DraftMaker;
  readonly #meetings: Meetings;

  constructor(of: EdgeHost, { ways, make, meetings }: { ways: GraphWays; make: DraftMaker; meetings: Meetings }) {
    this.#of = of;
    this.#ways = ways;
    this.#make = make;
    this.#meetings = meetings;
  }

  /** The artifact of an edge's source exists. */
  begin(edge: CompiledEdge, artifact: ArtifactRef, drafts: Drafts): void {
    const { rule } = edge;
    if (this.#meetings.isAbandoned(edge.to)) return;
    if (rule.when !== undefined && !this.#of.holds(rule.when, artifact, drafts.view, { place: `The edge ${this.#nameOf(edge)}` })) {
      this.#of.note(`${this.#nameOf(edge)} was not taken: ${rule.when.text} is false`);
      this.#meetings.miss(this.#ways.into(edge), rule, drafts);
    } else if (!rule.carry || !rule.trigger) {
      const what = { triggers: rule.trigger, ...(rule.carry ? { context: artifact } : {}) };
      this.#meetings.side(this.#ways.into(edge), what, drafts);
    } else {
      const done: Talk["done"] = (talked, lastWord, drafts) => this.#cross(edge, talked, lastWord, drafts);
      this.#talk({ edge, side: "source", rounds: rule.rounds, done }, 1, artifact, drafts);
    }
  }

  /** The critic judges and the actor refines, until the critic is content or the rounds are over. */
  #talk(talk: Talk, round: number, artifact: ArtifactRef, drafts: Drafts): void {
    const { edge, rounds, done } = talk;
    if (rounds === 0) {
      done(artifact, undefined, drafts);
      return;
    }
    const next: Pending["next"] = (judged, drafts) => {
      // What goes on in place of a critic's unusable answer is the artifact itself.
      if (judged.hash === artifact.hash) done(artifact, undefined, drafts);
      else if (accepts(judged, drafts.view)) done(artifact, judged, drafts);
      else this.#refine(talk, round, { artifact, critique: judged }, drafts);
    };
    drafts.add(this.#of, { at: edge.to, wanted: undefined, next }, this.#make.critique(talk, round, artifact, drafts.view));
  }

  #refine(talk: Talk, round: number, of: { artifact: ArtifactRef; critique: ArtifactRef }, drafts: Drafts): void {
    const { edge, side, rounds, done } = talk;
    const actor = side === "source" ? edge.from : edge.to;
    const next: Pending["next"] = (refined, drafts) => {
      this.#of.keep(refined, this.#ways.node(actor));
      if (round < rounds) this.#talk(talk, round + 1, refined, drafts);
      else done(refined, of.critique, drafts);
    };
    drafts.add(this.#of, { at: edge.to, wanted: this.#made(actor, drafts.view), next }, this.#make.refine(talk, round, of, drafts.view));
  }

  /** The talk with the source is over: the target goes on, once it has all that it is given beside. */
  #cross(edge: CompiledEdge, artifact: ArtifactRef, instruction: ArtifactRef | undefined, drafts: Drafts): void {
    const { split } = edge.rule;
    if (split === undefined && this.#ways.node(edge.to).work.kind !== "agent") {
      this.#meetings.arrive(this.#ways.into(edge), artifact, drafts);
      return;
    }
    const go = (drafts: Drafts): void => {
      if (split?.kind === "map") this.#map(edge, artifact, drafts);
      else if (split?.kind === "reduce") this.#reduce(edge, artifact, drafts);
      else this.#develop(edge, { artifact, instruction }, drafts);
    };
    this.#meetings.afterSides(edge.to, go, drafts);
  }

  #develop(edge: CompiledEdge, of: { artifact: ArtifactRef; instruction: ArtifactRef | undefined }, drafts: Drafts): void {
    const given = { ...of, contexts: this.#meetings.contextsAt(edge.to), history: this.#of.historyOf(edge.from) };
    const done: Talk["done"] = (talked, _word, drafts) => this.#meetings.arrive(this.#ways.into(edge), talked, drafts);
    const next: Pending["next"] = (output, drafts) =>
      this.#talk({ edge, side: "target", rounds: edge.rule.targetRounds, done }, 1, output, drafts);
    const wanted = this.#made(edge.to, drafts.view);
    drafts.add(this.#of, { at: edge.to, wanted, next }, this.#make.develop(edge, given, drafts.view));
  }

  /** The target works on each item by itself; their results are one list. */
  #map(edge: CompiledEdge, artifact: ArtifactRef, drafts: Drafts): void {
    const items = this.#split(edge, artifact, drafts.view);
    const results = new Map<number, ArtifactRef | undefined>();
    const settle = (number: number, result: ArtifactRef | undefined, drafts: Drafts): void => {
      results.set(number, result);
      if (results.size < items.length) return;
      const made = items.flatMap((_, i) => results.get(i + 1) ?? []).map((ref) => drafts.view.read(ref));
      this.#targetDone(edge, drafts.view.put(joinItems(made)), drafts);
    };
    if (items.length === 0) this.#targetDone(edge, drafts.view.put(joinItems([])), drafts);
    for (const [i, ref] of items.entries())
      this.#work(edge, { ref, number: i + 1 }, (result, drafts) => settle(i + 1, result, drafts), drafts);
  }

  #work(edge: CompiledEdge, item: { ref: ArtifactRef; number: number }, done: ItemDone, drafts: Drafts): void {
    const node = this.#ways.node(edge.to);
    if (node.work.kind !== "agent") {
      this.#of.openFor(node, item, done, drafts);
      return;
    }
    const given = { item: item.ref, number: item.number, contexts: this.#meetings.contextsAt(edge.to) };
    drafts.add(this.#of, { at: edge.to, wanted: undefined, next: done }, this.#make.item(edge, given, drafts.view));
  }

  /** The target merges the items in groups until one is left. */
  #reduce(edge: CompiledEdge, artifact: ArtifactRef, drafts: Drafts): void {
    const { agent, model, index: at } = this.#ways.node(edge.to);
    const items = this.#split(edge, artifact, drafts.view);
    if (items.length === 0) {
      this.#of.note(`${this.#nameOf(edge)} had nothing to reduce`);
      this.#meetings.miss(this.#ways.into(edge), edge.rule, drafts);
      return;
    }
    const next: Pending["next"] = (result, drafts) => this.#targetDone(edge, result, drafts);
    this.#meetings.merge(items, { at, agent, model, groupSize: edge.rule.split?.group ?? this.#ways.graph.groupSize }, next, drafts);
  }

  /** Whatever works on items has done all of the target's work. */
  #targetDone(edge: CompiledEdge, artifact: ArtifactRef, drafts: Drafts): void {
    this.#meetings.close(edge.to);
    this.#of.nodeDone(this.#ways.node(edge.to), artifact, drafts);
  }

  #split(edge: CompiledEdge, artifact: ArtifactRef, view: RunView): ArtifactRef[] {
    const { split } = edge.rule;
    if (split === undefined) return [];
    try {
      return splitArtifact(view.read(artifact), split).map((item) => view.put(item));
    } catch (thrown) {
      if (!(thrown instanceof TroupeError)) throw thrown;
      const { scope } = this.#of;
      const place = `${scope === "" ? "" : `${scope}: `}The edge ${this.#nameOf(edge)}`;
      throw new TroupeError(thrown.code, `${place} can't split its artifact. ${thrown.message}`, { cause: thrown });
    }
  }

  /** The kind of artifact that a node's actor makes. */
  #made(node: number, view: RunView): ArtifactKind {
    return this.#ways.outputOf(this.#ways.node(node).agent) ?? view.task.output;
  }

  #nameOf({ from, to }: CompiledEdge): string {
    return `${this.#ways.nameOf(from)} -> ${this.#ways.nameOf(to)}`;
  }
}

function accepts(ref: ArtifactRef, view: RunView): boolean {
  const answer = view.read(ref);
  return answer.kind === "json" && verdict.safeParse(answer.value).data?.verdict === "accept";
}

import { type ArtifactKind, type ArtifactRef, type Director, type RunView, type Settled, type Step, TroupeError } from "@troupe/schema";
import type { CompiledGraph } from "@troupe/topology";
import { Drafts, type Owner } from "./drafts.ts";
import { failedStep } from "./failed-step.ts";
import { GraphWalk } from "./graph-walk.ts";
import { isAgents, passedOn } from "./passed-on.ts";

/** MacNet (arXiv 2406.07155) over a compiled graph: one {@link GraphWalk}, with a further one for each graph inside a node. */
export class GraphDirector implements Director {
  readonly #walk: GraphWalk;
  /** Whose each activation is that has not ended. */
  readonly #owners = new Map<number, Owner>();
  #best: { readonly artifact: ArtifactRef; readonly depth: number } | undefined;
  /** Kind of artifact that the task asks for. */
  #wanted: ArtifactKind | undefined;
  #finish: Step["finish"];
  /** How the run ends if nothing is left in the end: with the first answer that was lost. */
  #lost: Step["finish"];

  constructor(graph: CompiledGraph) {
    this.#walk = new GraphWalk(graph, {
      scope: "",
      entry: undefined,
      round: 0,
      ahead: 0,
      keep: (artifact, depth) => {
        if (this.#isBetter(artifact, depth)) this.#best = { artifact, depth };
      },
      done: (product) => {
        this.#finish = product === undefined ? (this.#lost ?? this.#deadlock()) : { kind: "completed", artifact: product };
      },
    });
  }

  start(view: RunView): Step {
    return this.#step(view, (drafts) => this.#walk.start(drafts));
  }

  settled(done: Settled, view: RunView): Step {
    if (this.#finish !== undefined) return { finish: this.#finish };
    const owner = this.#owners.get(done.activation);
    this.#owners.delete(done.activation);
    const pending = owner?.live.get(done.activation);
    if (owner === undefined || pending === undefined) return {};
    const output = done.artifact ?? passedOn(done, view.activation(done.activation), pending.wanted);
    if (output === undefined) {
      if (!isAgents(done) || pending.lost === undefined) return failedStep(done, view, this.best());
      this.#lost ??= failedStep(done, view, undefined).finish;
    }
    const step = this.#step(view, (drafts) => owner.settled(done.activation, output, drafts));
    // What has gone on in its place may be waiting somewhere: then nothing else tells a resume that the failure is dealt with.
    return done.artifact === undefined && Object.keys(step).length === 0 ? { handled: true } : step;
  }

  notice(): Step {
    return {};
  }

  /** A resume takes a failure back; one that follows from what is in the log comes again. */
  idle(): Step | { deadlocked: string[] } {
    return this.#finish?.kind === "failed" ? { finish: this.#finish } : { deadlocked: this.#walk.waiting() };
  }

  /** The answer that is ahead at an open vote; else, of what the task asks for, the latest artifact of the deepest node. */
  best(): ArtifactRef | undefined {
    return this.#walk.leading ?? this.#best?.artifact;
  }

  /** What the walk asks for; a condition or a list that a model got wrong ends the run, and says so. */
  #step(view: RunView, walk: (drafts: Drafts) => void): Step {
    const drafts = new Drafts(view, this.#owners);
    this.#wanted = view.task.output;
    try {
      walk(drafts);
      drafts.finish(() => this.#finish !== undefined);
    } catch (thrown) {
      if (!(thrown instanceof TroupeError)) throw thrown;
      const error = { code: thrown.code, message: thrown.message, retryable: false };
      this.#finish = { kind: "failed", error, ...this.#withBest() };
    }
    return this.#finish === undefined ? drafts.step() : { finish: this.#finish };
  }

  /** What the task asks for is better than a person's yes; of the same kind, what was made later on the way. */
  #isBetter(artifact: ArtifactRef, depth: number): boolean {
    if (this.#best === undefined) return true;
    const [isWanted, wasWanted] = [artifact.kind === this.#wanted, this.#best.artifact.kind === this.#wanted];
    return isWanted === wasWanted ? depth >= this.#best.depth : isWanted;
  }

  #deadlock(): NonNullable<Step["finish"]> {
    return { kind: "deadlocked", waiting: this.#walk.waiting(), ...this.#withBest() };
  }

  #withBest(): { artifact?: ArtifactRef } {
    const artifact = this.best();
    return artifact === undefined ? {} : { artifact };
  }
}

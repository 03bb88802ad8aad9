import { type ActivationDraft, type ArtifactKind, type ArtifactRef, type RunView, type Step, TroupeError } from "@troupe/schema";

/** What an activation of a graph is for, so that its end can be taken further. */
export interface Pending {
  /** The node whose arrivals it serves: the target of an edge's work, or the node that acts itself. */
  readonly at: number;
  /** Kind that may go on in place of an output that could not be used; undefined: any. */
  readonly wanted: ArtifactKind | undefined;
  /** Takes the output further. */
  readonly next: (output: ArtifactRef, drafts: Drafts) => void;
  /** Goes on without any output, where an agent that was given nothing to pass on has made none; undefined: that ends the run. */
  readonly lost?: (drafts: Drafts) => void;
}

/** Who started an activation, and is told of its end. */
export interface Owner {
  readonly live: Map<number, Pending>;
  /** Takes the output of one of its activations further, or what goes on in its place; undefined: it is lost. */
  settled(id: number, output: ArtifactRef | undefined, drafts: Drafts): void;
}

/** The most rounds of loops that one step may begin: those of loops in which somebody works are begun one by one. */
const mostRounds = 100_000;

interface Made {
  readonly id: number;
  readonly owner: Owner;
  readonly pending: Pending;
  readonly draft: ActivationDraft;
}

/** Collects what one step starts and cancels, and remembers, by the id each draft will get, whose it is and what for. */
export class Drafts {
  readonly view: RunView;
  readonly #owners: Map<number, Owner>;
  readonly #made: Made[] = [];
  readonly #dropped = new Set<number>();
  readonly #cancel: number[] = [];
  readonly #firstId: number;
  readonly #later: ((drafts: Drafts) => void)[] = [];
  #rounds = 0;

  constructor(view: RunView, owners: Map<number, Owner>) {
    this.view = view;
    this.#owners = owners;
    this.#firstId = view.nextId;
  }

  add(owner: Owner, pending: Pending, draft: ActivationDraft): void {
    const id = this.#firstId + this.#made.length;
    this.#made.push({ id, owner, pending, draft });
    this.#assign(id, owner, pending);
  }

  /** Its end is of no interest any more. What this very step would start is not started. */
  cancel(owner: Owner, id: number): void {
    this.#forget(id, owner);
    if (id >= this.#firstId) this.#dropped.add(id);
    else this.#cancel.push(id);
  }

  /**
   * A round of a loop begins.
   *
   * @throws TroupeError `loop_idle` when so many have begun that nobody can be working in them.
   */
  beginRound(loop: string): void {
    if (++this.#rounds <= mostRounds) return;
    throw new TroupeError(
      "loop_idle",
      `${mostRounds} rounds of ${loop} and of loops around it have passed at once, without anybody at work. See which conditions lead past its agents.`,
    );
  }

  /** Does something when what is being done now is done: a long row of nodes at which nobody works must not become a deep stack. */
  later(work: (drafts: Drafts) => void): void {
    this.#later.push(work);
  }

  /** Does all that was put off, and what that puts off, unless the run is over. */
  finish(isOver: () => boolean): void {
    for (const work of this.#later) {
      if (isOver()) return;
      work(this);
    }
  }

  step(): Step {
    const start = this.#kept().map(({ draft }) => draft);
    return {
      ...(start.length === 0 ? {} : { start }),
      ...(this.#cancel.length === 0 ? {} : { cancel: this.#cancel }),
    };
  }

  /** What is started after all; it moves up to the ids of what is not. */
  #kept(): readonly Made[] {
    if (this.#dropped.size === 0) return this.#made;
    const kept = this.#made.filter(({ id }) => !this.#dropped.has(id));
    for (const { id, owner } of kept) this.#forget(id, owner);
    for (const [i, { owner, pending }] of kept.entries()) this.#assign(this.#firstId + i, owner, pending);
    return kept;
  }

  #assign(id: number, owner: Owner, pending: Pending): void {
    this.#owners.set(id, owner);
    owner.live.set(id, pending);
  }

  #forget(id: number, owner: Owner): void {
    owner.live.delete(id);
    this.#owners.delete(id);
  }
}

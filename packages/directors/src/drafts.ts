import type { ActivationDraft, ArtifactKind, ArtifactRef, RunView, Step } from "@troupe/schema";

/** What an activation of a graph is for, so that its end can be taken further. */
export interface Pending {
  /** The node whose arrivals it serves: the target of an edge's work, or the node that acts itself. */
  readonly at: number;
  /** Kind that may go on in place of an output that could not be used; undefined: any. */
  readonly wanted: ArtifactKind | undefined;
  /** Takes the output further. */
  readonly then: (output: ArtifactRef, drafts: Drafts) => void;
}

/** Who started an activation, and is told of its end. */
export interface Owner {
  readonly live: Map<number, Pending>;
  /** Takes the output of one of its activations further, or what goes on in its place. */
  settled(id: number, output: ArtifactRef, drafts: Drafts): void;
}

/** Collects what one step starts and cancels, and remembers, by the id each draft will get, whose it is and what for. */
export class Drafts {
  readonly view: RunView;
  readonly #owners: Map<number, Owner>;
  readonly #start: ActivationDraft[] = [];
  readonly #cancel: number[] = [];
  readonly #firstId: number;

  constructor(view: RunView, owners: Map<number, Owner>) {
    this.view = view;
    this.#owners = owners;
    this.#firstId = view.nextId;
  }

  add(owner: Owner, pending: Pending, draft: ActivationDraft): void {
    const id = this.#firstId + this.#start.length;
    this.#owners.set(id, owner);
    owner.live.set(id, pending);
    this.#start.push(draft);
  }

  /** Its end is of no interest any more. */
  cancel(owner: Owner, id: number): void {
    owner.live.delete(id);
    this.#owners.delete(id);
    this.#cancel.push(id);
  }

  step(): Step {
    return {
      ...(this.#start.length === 0 ? {} : { start: this.#start }),
      ...(this.#cancel.length === 0 ? {} : { cancel: this.#cancel }),
    };
  }
}

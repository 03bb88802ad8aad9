import type { ActivationDraft, RunView, Step } from "@troupe/schema";

/** Collects the drafts of one step and remembers, by the id each will get, what it is for. */
export class Drafts<Purpose> {
  readonly #drafts: ActivationDraft[] = [];
  readonly #purposes: Map<number, Purpose>;
  readonly #firstId: number;

  readonly view: RunView;

  constructor(view: RunView, purposes: Map<number, Purpose>) {
    this.view = view;
    this.#purposes = purposes;
    this.#firstId = view.nextId;
  }

  add(purpose: Purpose, draft: ActivationDraft): void {
    this.#purposes.set(this.#firstId + this.#drafts.length, purpose);
    this.#drafts.push(draft);
  }

  step(): Step {
    return this.#drafts.length === 0 ? {} : { start: this.#drafts };
  }
}

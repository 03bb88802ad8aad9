import type { ArtifactRef } from "@troupe/schema";
import type { CompiledArrivals } from "@troupe/topology";
import type { Drafts } from "./drafts.ts";

/** Which of a node's edges have settled, and what came over them: for nodes whose edges may bring nothing, or of which not all are waited for. */
export class Arrivals {
  readonly #need: number | "all";
  readonly #artifacts = new Map<number, ArtifactRef>();
  readonly #contexts = new Map<number, ArtifactRef>();
  readonly #held: ((drafts: Drafts) => void)[] = [];
  #open: number;
  #sides: number;
  #isTriggered = false;
  /** The node goes on: nothing more is taken. */
  closed = false;

  constructor({ carrying, side, need }: CompiledArrivals) {
    this.#need = need;
    this.#open = carrying;
    this.#sides = side;
  }

  /** An artifact that the node works on. @param place of its edge among the edges into the node. */
  bring(place: number, artifact: ArtifactRef): void {
    this.#open--;
    this.#artifacts.set(place, artifact);
    this.#isTriggered = true;
  }

  /** A carrying edge will bring nothing. */
  miss(): void {
    this.#open--;
  }

  /** A side edge has settled: it triggers the node, gives it a context, or does neither. */
  side(place: number, { triggers = false, context }: SideArrival, drafts: Drafts): void {
    this.#sides--;
    this.#isTriggered ||= triggers;
    if (context !== undefined) this.#contexts.set(place, context);
    if (this.#sides === 0) for (const work of this.#held.splice(0)) work(drafts);
  }

  /** Does something as soon as all side edges have settled. */
  afterSides(work: (drafts: Drafts) => void, drafts: Drafts): void {
    if (this.#sides === 0) work(drafts);
    else this.#held.push(work);
  }

  /** Whether a side edge is waited for. */
  get waitsForSides(): boolean {
    return this.#sides > 0;
  }

  /** Whether enough artifacts are there. */
  get isEnough(): boolean {
    return this.#open === 0 || (this.#need !== "all" && this.#artifacts.size >= this.#need);
  }

  /** How many carrying edges have not settled. */
  get open(): number {
    return this.#open;
  }

  /** How many edges have not settled. */
  get missing(): number {
    return this.#open + this.#sides;
  }

  /** Whether an edge that can make the node act was alive. */
  get isTriggered(): boolean {
    return this.#isTriggered;
  }

  /** What came over carrying edges, no more than is waited for, in the order of the edges. */
  get artifacts(): ArtifactRef[] {
    // More may have come while a side edge was waited for; the map has them in the order of coming.
    return inOrder(this.#need === "all" ? this.#artifacts : [...this.#artifacts].slice(0, this.#need));
  }

  /** What came over the carrying edge at a place. */
  at(place: number): ArtifactRef | undefined {
    return this.#artifacts.get(place);
  }

  /** What came over edges that only give a context, in the order of the edges. */
  get contexts(): ArtifactRef[] {
    return inOrder(this.#contexts);
  }
}

/** What comes over an edge that brings nothing to work on. */
export interface SideArrival {
  readonly triggers?: boolean;
  readonly context?: ArtifactRef;
}

function inOrder(byPlace: Iterable<readonly [place: number, artifact: ArtifactRef]>): ArtifactRef[] {
  return [...byPlace].sort(([a], [b]) => a - b).map(([, artifact]) => artifact);
}

import type { Activation, AgentCard, Limits } from "@troupe/schema";
import { ReadyQueue } from "./ready-queue.ts";

/** The slots of one agent or model, and the ready activations that found none free. */
interface Lane {
  readonly limit: number;
  taken: number;
  readonly parked: ReadyQueue;
}

/** What a {@link SlotQueue} is made of. */
export interface SlotQueueParts {
  readonly limits: Pick<Limits, "agents" | "models">;
  /** The table of agents that holds now, which knows their models. */
  readonly agents: () => Readonly<Record<string, Pick<AgentCard, "model">>>;
  readonly activation: (id: number) => Activation;
}

const noLanes: readonly Lane[] = [];

/**
 * The activations that could run now: the highest priority first, as far as their agent and their model have a slot free. One that
 * has none is parked there, and comes back when a slot is given back, so nobody looks through all that is ready.
 *
 * For every agent and model holds: while something is parked there, no more of its slots are free than there are activations in the
 * queue that would take one. So nothing stays parked beside a free slot.
 */
export class SlotQueue {
  readonly #queue = new ReadyQueue();
  readonly #parts: SlotQueueParts;
  readonly #agents: ReadonlyMap<string, Lane>;
  readonly #models: ReadonlyMap<string, Lane>;
  #parked = 0;

  constructor(parts: SlotQueueParts) {
    this.#parts = parts;
    this.#agents = lanesOf(parts.limits.agents);
    this.#models = lanesOf(parts.limits.models);
  }

  /** How many are in it, parked ones too. */
  get size(): number {
    return this.#queue.size + this.#parked;
  }

  push(id: number): void {
    this.#queue.push(id, this.#parts.activation(id).priority);
  }

  /**
   * The next one that can run; it takes the slots that it needs, until {@link giveBack}.
   *
   * @param isWanted false for what need not run any more; it leaves the queue.
   */
  take(isWanted: (id: number) => boolean): number | undefined {
    for (;;) {
      const id = this.#queue.pop();
      if (id === undefined) return undefined;
      const lanes = this.#lanesFor(id);
      if (isWanted(id)) {
        const full = lanes.find(({ taken, limit }) => taken >= limit);
        if (full === undefined) {
          for (const lane of lanes) lane.taken++;
          return id;
        }
        this.#park(id, full);
      }
      // It will not take its other slots now, so somebody else may.
      for (const lane of lanes) this.#unpark(lane);
    }
  }

  /** What was taken has ended. */
  giveBack(id: number): void {
    for (const lane of this.#lanesFor(id)) {
      lane.taken--;
      this.#unpark(lane);
    }
  }

  #park(id: number, lane: Lane): void {
    lane.parked.push(id, this.#parts.activation(id).priority);
    this.#parked++;
  }

  #unpark(lane: Lane): void {
    if (lane.taken >= lane.limit) return;
    const id = lane.parked.pop();
    if (id === undefined) return;
    this.#parked--;
    this.push(id);
  }

  #lanesFor(id: number): readonly Lane[] {
    if (this.#agents.size === 0 && this.#models.size === 0) return noLanes;
    const { agent, model } = this.#parts.activation(id);
    const agents = this.#parts.agents();
    const card = agent !== undefined && Object.hasOwn(agents, agent) ? agents[agent] : undefined;
    const asked = model ?? card?.model;
    const lanes = [agent === undefined ? undefined : this.#agents.get(agent), asked === undefined ? undefined : this.#models.get(asked)];
    return lanes.filter((lane) => lane !== undefined);
  }
}

function lanesOf(limits: Limits["agents"] = {}): Map<string, Lane> {
  const lanes = new Map<string, Lane>();
  for (const [name, { parallel }] of Object.entries(limits)) {
    if (parallel !== undefined) lanes.set(name, { limit: parallel, taken: 0, parked: new ReadyQueue() });
  }
  return lanes;
}

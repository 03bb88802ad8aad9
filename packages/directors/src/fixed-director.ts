import type { ActivationDraft, ActivationInput, ArtifactRef, Director, RunView, Settled, Step } from "@troupe/schema";
import type { CompiledSequence } from "@troupe/topology";
import { failedStep } from "./failed-step.ts";

/**
 * A list of agents that act one after another, each on the artifact before it; a critic's critique goes to the next actor.
 * With one agent it is the single-agent baseline.
 */
export class FixedDirector implements Director {
  readonly #sequence: CompiledSequence;
  #product = -1;
  #best: ArtifactRef | undefined;

  constructor(sequence: CompiledSequence) {
    this.#sequence = sequence;
  }

  start(view: RunView): Step {
    const start: ActivationDraft[] = [];
    const task: ActivationInput = { name: "task", ref: view.taskRef };
    let carried: ActivationInput[] = view.from === undefined ? [] : [{ name: "previous", ref: view.from }];
    for (const [index, agent] of this.#sequence.sequence.entries()) {
      const from = view.nextId + index;
      start.push(this.#draft(index, agent, [task, ...carried]));
      if (this.#sequence.agents[agent]?.kind === "critic") {
        carried = [...carried, { name: "critique", from }];
      } else {
        carried = [{ name: "artifact", from }];
        this.#product = from;
      }
    }
    return { start };
  }

  settled(done: Settled, view: RunView): Step {
    if (done.artifact === undefined) return failedStep(done, view, this.#best);
    if (view.read(done.artifact).kind !== "json") this.#best = done.artifact;
    return done.activation === this.#product ? { finish: { kind: "completed", artifact: done.artifact } } : {};
  }

  notice(): Step {
    return {};
  }

  idle(): { deadlocked: string[] } {
    return { deadlocked: [`${this.#sequence.name} has no agent that makes an artifact`] };
  }

  best(): ArtifactRef | undefined {
    return this.#best;
  }

  #draft(index: number, agent: string, inputs: ActivationInput[]): ActivationDraft {
    const { model, temperatures, sequence } = this.#sequence;
    const temperature = temperatures[index];
    return {
      kind: "act",
      agent,
      inputs,
      label: agent,
      priority: sequence.length - index,
      ...(model === undefined ? {} : { model }),
      ...(temperature === undefined ? {} : { temperature }),
      meta: { step: "act" },
    };
  }
}

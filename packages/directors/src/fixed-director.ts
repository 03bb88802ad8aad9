import type { ActivationDraft, ActivationInput, ArtifactKind, ArtifactRef, Director, RunView, Settled, Step } from "@troupe/schema";
import type { CompiledSequence } from "@troupe/topology";
import { failedStep } from "./failed-step.ts";
import { previousFor } from "./previous-for.ts";

/** A list of actors that act one after another, each on the artifact before it. With one of them it is the single-agent baseline. */
export class FixedDirector implements Director {
  readonly #sequence: CompiledSequence;
  #product = -1;
  #best: ArtifactRef | undefined;

  constructor(sequence: CompiledSequence) {
    this.#sequence = sequence;
  }

  start(view: RunView): Step {
    const start: ActivationDraft[] = [];
    const { agents, sequence } = this.#sequence;
    let made: ArtifactKind | undefined;
    for (const [index, agent] of sequence.entries()) {
      const before: ActivationInput[] = index === 0 ? [] : [{ name: "artifact", from: this.#product }];
      start.push(this.#draft(index, agent, [{ name: "task", ref: view.taskRef }, ...previousFor(view, made), ...before]));
      made = agents[agent]?.output ?? view.task.output;
      this.#product = view.nextId + index;
    }
    return { start };
  }

  settled(done: Settled, view: RunView): Step {
    if (done.artifact === undefined) return failedStep(done, view, this.#best);
    this.#best = done.artifact;
    return done.activation === this.#product ? { finish: { kind: "completed", artifact: done.artifact } } : {};
  }

  notice(): Step {
    return {};
  }

  idle(): { deadlocked: string[] } {
    return { deadlocked: [`${this.#sequence.name} waits for activation ${this.#product}, the last of its list`] };
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

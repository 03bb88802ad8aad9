import {
  type ActivationContext,
  type ActivationRunner,
  type AgentCard,
  type ArtifactKind,
  type Sandbox,
  TroupeError,
} from "@troupe/schema";
import { act } from "./act.ts";
import { judge, judgedOf } from "./judge.ts";
import { type Material, readMaterial } from "./material.ts";
import { merge, mergedKind } from "./merge.ts";
import { Talk } from "./talk.ts";

/** What agents need besides the activation itself. */
export interface AgentRunnerOptions {
  /** Where model-written code runs. */
  readonly sandbox: Sandbox;
}

/**
 * Makes the runner for activations of kind `act`. What an agent is asked follows from its card's kind and from the names of its inputs
 * alone: `task`, `artifact`, `critique`, `instruction`, `candidate` (several), `previous`; any other input is context. No dialogue crosses an edge.
 * An input `profile` says who the agent is.
 *
 * @example
 * const act = createAgentRunner({ sandbox });
 * const artifact = await act(context);
 */
export function createAgentRunner({ sandbox }: AgentRunnerOptions): ActivationRunner {
  return async (context) => {
    const { card, activation } = context;
    if (card === undefined) throw new TroupeError("internal", `Activation ${activation.id} (${activation.label}) has no agent.`);
    const material = readMaterial(context);
    const output = outputOf(context, card, material);
    const suited = suitCard(card, card.kind === "critic" ? judgedOf(material)?.kind : output);
    const work = { context, card: suited, material, sandbox, talk: await Talk.open(context, suited, output) };
    switch (card.kind) {
      case "actor":
        return act(work, output);
      case "critic":
        return judge(work);
      case "aggregator":
        return merge(work);
    }
  };
}

/** The card as it is for one kind of artifact. */
function suitCard(card: AgentCard, kind: ArtifactKind | undefined): AgentCard {
  const instructions = kind === undefined ? undefined : card.instructionsFor?.[kind];
  return instructions === undefined ? card : { ...card, instructions };
}

function outputOf(context: ActivationContext, card: AgentCard, material: Material): ArtifactKind {
  switch (card.kind) {
    case "actor":
      return card.output ?? context.task.output;
    case "critic":
      return "json";
    case "aggregator":
      return mergedKind({ context, card, material });
  }
}

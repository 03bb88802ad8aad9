import {
  type ActivationContext,
  type Artifact,
  type ArtifactRef,
  createRandom,
  type ModelClient,
  type Random,
  type RunStore,
  TroupeError,
} from "@troupe/schema";
import type { Attempt } from "./attempts.ts";
import type { Journal } from "./journal.ts";
import type { MeteredChat } from "./metered-chat.ts";
import type { LiveRunState } from "./run-state.ts";
import type { RunHeader } from "./run-view.ts";

/** What contexts are made of. */
export interface ContextParts {
  readonly header: RunHeader;
  readonly state: LiveRunState;
  readonly store: RunStore;
  readonly models: ModelClient;
  readonly journal: Journal;
  readonly chat: MeteredChat;
}

/** What an attempt may touch; whatever costs something is made when it is first asked for. */
export function createContext(parts: ContextParts, attempt: Attempt): ActivationContext {
  const { header, state, store, models, journal, chat } = parts;
  const { activation } = state.row(attempt.activation);
  let inputs: ActivationContext["inputs"] | undefined;
  let random: Random | undefined;
  return {
    activation,
    attempt: attempt.number,
    task: header.task,
    card: activation.agent === undefined ? undefined : header.agents[activation.agent],
    get signal() {
      return attempt.signal;
    },
    get inputs() {
      inputs ??= activation.inputs.map((input) => ({
        name: input.name,
        artifact: readInput(store, "ref" in input ? input.ref : state.row(input.from).output, attempt.activation),
      }));
      return inputs;
    },
    get random() {
      random ??= createRandom(header.seed, `activation/${attempt.activation}`);
      return random;
    },
    chat: (request) => chat.ask(attempt, request),
    modelInfo: (model) => models.info(model, attempt.signal),
    report: (tool) => {
      if (!attempt.ended) journal.add({ kind: "tool.used", activation: attempt.activation, attempt: attempt.number, ...tool });
    },
  };
}

function readInput(store: RunStore, ref: ArtifactRef | undefined, activation: number): Artifact {
  if (ref !== undefined) return store.get(ref);
  throw new TroupeError("internal", `Activation ${activation} began before all its inputs were there.`);
}

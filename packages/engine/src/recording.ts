import type { AgentCard, ArtifactRef, EventOf, Failure, ModelInfo, RunEvent } from "@troupe/schema";
import type { CallName } from "./metered-chat.ts";
import { readModelFact } from "./model-facts.ts";

/** How a recorded call ended. */
export type RecordedCall = { readonly answer: ArtifactRef } | { readonly error: Failure };

type Fact = NonNullable<ReturnType<typeof readModelFact>> & { readonly seq: number };

type Agents = Readonly<Record<string, AgentCard>>;

/** The last attempt of an activation, as the log has it. */
interface LastAttempt {
  readonly number: number;
  readonly tools: EventOf<"tool.used">[];
  /** The table of agents that held then. */
  readonly agents: Agents;
  /** When it first called a model, or settled: by then it knew its model. */
  knewBy: number | undefined;
}

/** What a log answers when its activations are run again: model calls, and what was known of the models. */
export class Recording {
  readonly #calls = new Map<string, RecordedCall>();
  readonly #attempts = new Map<number, LastAttempt>();
  readonly #facts: Fact[] = [];
  #agents: Agents = {};

  constructor(events: readonly RunEvent[]) {
    for (const event of events) this.#add(event);
  }

  /** The attempt that led to an activation's artifact, with the tools that it used and the agents that there were. */
  attemptOf(activation: number): { readonly number: number; readonly tools: readonly EventOf<"tool.used">[]; readonly agents: Agents } {
    return this.#attempts.get(activation) ?? { number: 1, tools: [], agents: this.#agents };
  }

  /** How exactly this call ended; undefined when the log knows nothing of it. */
  call(name: CallName): RecordedCall | undefined {
    return this.#calls.get(keyOf(name));
  }

  /** What an activation was told of a model; undefined in logs of versions that did not keep it. */
  modelInfo(activation: number, model: string): ModelInfo | undefined {
    const by = this.#attempts.get(activation)?.knewBy ?? Number.POSITIVE_INFINITY;
    const facts = this.#facts.filter((fact) => fact.model === model);
    return (facts.findLast((fact) => fact.seq < by) ?? facts[0])?.info;
  }

  #add(event: RunEvent): void {
    switch (event.kind) {
      case "run.started":
      case "run.resumed":
        this.#agents = event.agents ?? this.#agents;
        break;
      case "activation.began":
        // A further session of the same attempt uses its tools again.
        this.#attempts.set(event.activation, { number: event.attempt, tools: [], agents: this.#agents, knewBy: undefined });
        break;
      case "call.started":
      case "activation.settled": {
        const attempt = this.#attempts.get(event.activation);
        if (attempt !== undefined) attempt.knewBy ??= event.seq;
        break;
      }
      case "call.settled":
        this.#addCall(event);
        break;
      case "tool.used":
        this.#attempts.get(event.activation)?.tools.push(event);
        break;
      case "notice": {
        const fact = readModelFact(event.notice);
        if (fact !== undefined) this.#facts.push({ ...fact, seq: event.seq });
        break;
      }
      default:
    }
  }

  /** A call that was lost with its session was made again: its answer counts. */
  #addCall(event: EventOf<"call.settled">): void {
    const key = keyOf(event);
    const { answer, error } = event;
    if (answer !== undefined) this.#calls.set(key, { answer });
    else if (error !== undefined && !this.#calls.has(key)) this.#calls.set(key, { error });
  }
}

function keyOf({ activation, attempt, call, request }: CallName): string {
  return `${activation}/${attempt}/${call}/${request}`;
}

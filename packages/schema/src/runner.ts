import type { Activation } from "./activation.ts";
import type { AgentCard } from "./agent-card.ts";
import type { Artifact } from "./artifact.ts";
import type { EventOf } from "./event.ts";
import type { ChatAnswer, ChatRequest, ModelInfo } from "./model-client.ts";
import type { Random } from "./random.ts";
import type { PublicTask } from "./task.ts";

/** What a runner reports about a tool it used. */
export type ToolReport = Omit<EventOf<"tool.used">, "kind" | "seq" | "at" | "activation" | "attempt">;

/** What an activation may touch while it runs; made by the engine. */
export interface ActivationContext {
  readonly activation: Activation;
  /** From 1. */
  readonly attempt: number;
  /** Aborted when the run ends, the activation is cancelled or its time is up. */
  readonly signal: AbortSignal;
  readonly task: PublicTask;
  /** The agent's card, when the activation has an agent. */
  readonly card: AgentCard | undefined;
  /** Inputs in the order of the activation. */
  readonly inputs: readonly { readonly name: string; readonly artifact: Artifact }[];
  /** Keyed by run seed and activation id. */
  readonly random: Random;
  /**
   * Asks a model within the run's limits. The answer is logged; after a crash the logged answer is given instead of a new call.
   * A request without `seed` gets one that depends on run seed, activation and call.
   */
  chat(request: ChatRequest): Promise<ChatAnswer>;
  /** What is known of a model. */
  modelInfo(model: string): Promise<ModelInfo>;
  /** Logs the use of a tool. */
  report(tool: ToolReport): void;
}

/**
 * Does the work of one kind of activation and returns its one artifact.
 *
 * @throws TroupeError; a retryable one is tried again by the engine.
 */
export type ActivationRunner = (context: ActivationContext) => Promise<Artifact>;

import type { ActivationContext, AgentCard, Sandbox } from "@troupe/schema";
import type { Material } from "./material.ts";
import type { Talk } from "./talk.ts";

/** What trying a program out needs. */
export interface Bench {
  readonly context: Pick<ActivationContext, "task" | "signal" | "report">;
  readonly sandbox: Sandbox;
}

/** Everything that one activation of an agent works with. */
export interface Work extends Bench {
  readonly context: ActivationContext;
  readonly card: AgentCard;
  readonly material: Material;
  readonly talk: Talk;
  readonly sandbox: Sandbox;
}

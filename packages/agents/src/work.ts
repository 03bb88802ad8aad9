import type { ActivationContext, AgentCard, Sandbox } from "@troupe/schema";
import type { Material } from "./material.ts";
import type { Talk } from "./talk.ts";

/** Everything that one activation of an agent works with. */
export interface Work {
  readonly context: ActivationContext;
  readonly card: AgentCard;
  readonly material: Material;
  readonly talk: Talk;
  readonly sandbox: Sandbox;
}

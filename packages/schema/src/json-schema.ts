import { z } from "zod";
import { agentCard } from "./agent-card.ts";
import { artifact } from "./artifact.ts";
import { runEvent } from "./event.ts";
import { experimentFile } from "./experiment-file.ts";
import { runResult } from "./outcome.ts";
import { profilePool } from "./profile-pool.ts";
import { projectFile } from "./project-file.ts";
import { task } from "./task.ts";
import { topologyFile } from "./topology-file.ts";
import { usage } from "./usage.ts";

/** The schemas that users meet, by the name that `troupe schema` takes. */
export const publicSchemas = {
  topology: topologyFile,
  agent: agentCard,
  profiles: profilePool,
  project: projectFile,
  experiment: experimentFile,
  task,
  event: runEvent,
  artifact,
  usage,
  result: runResult,
} as const;
export type SchemaName = keyof typeof publicSchemas;

/** The JSON Schema (draft 2020-12) of a public schema, as editors use it for what a user writes. */
export function toJsonSchema(name: SchemaName): Record<string, unknown> {
  return { title: `Troupe ${name}`, ...z.toJSONSchema(publicSchemas[name], { io: "input", unrepresentable: "any" }) };
}

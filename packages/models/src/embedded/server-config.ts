import { createHash } from "node:crypto";
import { statSync } from "node:fs";
import { resolve } from "node:path";
import type { EmbeddedModel } from "@troupe/schema";
import { z } from "zod";
import { usableCores } from "./thread-governor.ts";

/** What the server process is told when it starts. */
export const serverConfig = z.strictObject({
  key: z.string().describe("Which server this is; equal keys serve equally"),
  file: z.string().describe("Path of the GGUF file"),
  model: z.string().describe("The model's name in the API"),
  contextTokens: z.number().int().positive(),
  parallel: z.number().int().positive(),
  threads: z.number().int().positive(),
  gpu: z.boolean(),
  host: z.string().describe("Address to listen on"),
  port: z.number().int().min(0).max(65535).describe("0: any free one"),
  token: z.string().optional().describe("Bearer token; without one, loopback callers need none"),
  idleSeconds: z.number().nonnegative().describe("Ends after so long without use; 0: never"),
  stateFile: z.string().optional().describe("Where it writes how it can be reached"),
  endWithParent: z.boolean().describe("Whether it ends when the process that started it is gone"),
});
export type ServerConfig = z.infer<typeof serverConfig>;

/** Environment variable that carries the configuration; not the command line, which others can read. */
export const configVariable = "TROUPE_EMBEDDED_SERVER";

/** What the server process tells the one that started it. */
export const serverMessage = z.discriminatedUnion("kind", [
  z.strictObject({ kind: z.literal("loading"), fraction: z.number() }),
  z.strictObject({ kind: z.literal("ready"), port: z.number().int(), contextTokens: z.number().int() }),
]);
export type ServerMessage = z.infer<typeof serverMessage>;

/** How a model is served: what decides whether a running server can be used by another run. */
export type Serving = Pick<ServerConfig, "file" | "model" | "contextTokens" | "parallel" | "threads" | "gpu">;

/** What may be said of {@link Serving}; the rest is filled in. */
export interface ServingOptions extends Pick<EmbeddedModel, "contextTokens" | "parallel" | "threads" | "gpu"> {
  /** Path of the GGUF file. */
  readonly file: string;
  /** The model's name in the API. */
  readonly model: string;
}

/** Completes the options: 8192 tokens, 4 sequences, all cores, no GPU; with the key of the file as it is now and how it is served. */
export function toServing(options: ServingOptions): Serving & { key: string } {
  const serving: Serving = {
    file: resolve(options.file),
    model: options.model,
    contextTokens: options.contextTokens ?? 8192,
    parallel: options.parallel ?? 4,
    threads: options.threads ?? usableCores(),
    gpu: options.gpu ?? false,
  };
  const { size, mtimeMs } = statSync(serving.file);
  const facts = JSON.stringify([1, serving, size, mtimeMs]);
  return { ...serving, key: createHash("sha256").update(facts).digest("hex").slice(0, 16) };
}

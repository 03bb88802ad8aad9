import { z } from "zod";
import { limits } from "./limits.ts";

const price = z
  .strictObject({
    input: z.number().nonnegative().describe("US dollars per million prompt tokens"),
    output: z.number().nonnegative().describe("US dollars per million generated tokens"),
  })
  .describe("What tokens cost");

/** A model behind one or more OpenAI-compatible endpoints. */
export const endpointModel = z
  .strictObject({
    endpoints: z
      .array(z.url({ protocol: /^https?$/ }).describe("Base URL, such as http://127.0.0.1:8000/v1"))
      .min(1)
      .describe("Base URLs that serve the model"),
    model: z.string().min(1).describe("The model's name on the server"),
    apiKeyEnv: z
      .string()
      .regex(/^[A-Za-z_][A-Za-z0-9_]*$/)
      .optional()
      .describe("Environment variable that holds the key"),
    price: price.optional(),
    contextTokens: z.number().int().positive().optional().describe("Context size; asked of the server when absent"),
    tools: z
      .enum(["native", "text"])
      .default("native")
      .describe("Whether the model uses the tool-call format, or fenced blocks in its text"),
    timeoutSeconds: z.number().positive().default(300).describe("Seconds without a token before a call is given up"),
    parallel: z
      .number()
      .int()
      .min(1)
      .max(10_000)
      .optional()
      .describe("Calls at once, of all runs of a process together, which take turns; default: as many as come"),
    extraBody: z.record(z.string(), z.json()).optional().describe("Extra fields of every request body, such as chat_template_kwargs"),
  })
  .describe("A model behind one or more OpenAI-compatible endpoints");

/** A model that Troupe serves itself, in a process of its own. */
export const embeddedModel = z
  .strictObject({
    embedded: z.string().min(1).describe("A name of the catalogue (`troupe models list`), or a path to a GGUF file"),
    contextTokens: z.number().int().min(512).max(131072).optional().describe("Context of each parallel sequence; default 8192"),
    parallel: z.number().int().min(1).max(64).optional().describe("Sequences that share the loaded model; default 4"),
    threads: z.number().int().min(1).optional().describe("CPU threads; default: all cores"),
    gpu: z.boolean().optional().describe("Use a GPU build of the runtime when one is installed; default false"),
    timeoutSeconds: z.number().positive().default(600).describe("Seconds without a token before a call is given up"),
  })
  .describe("A model that Troupe serves itself");

/** One entry under `models:`. */
export const modelEntry = z.union([endpointModel, embeddedModel]).describe("How a model is served");

/** `troupe.yaml`, found upwards from the working folder. */
export const projectFile = z
  .strictObject({
    models: z
      .record(z.string().regex(/^[a-z][a-z0-9._-]{0,63}$/), modelEntry)
      .default({})
      .describe("Models by the name that agents use; `default` is the one they use unless told otherwise"),
    sandbox: z
      .enum(["auto", "bubblewrap", "seatbelt", "wasm", "none"])
      .default("auto")
      .describe("Where model-written code runs; `none` must also be said on the command line"),
    limits: limits.optional().describe("Limits of every run, unless the topology or the call says otherwise"),
    db: z.string().min(1).optional().describe("Path of the database; default: the platform's data folder"),
  })
  .describe("troupe.yaml");

export type Price = z.infer<typeof price>;
export type EndpointModel = z.infer<typeof endpointModel>;
export type EmbeddedModel = z.infer<typeof embeddedModel>;
export type ModelEntry = z.infer<typeof modelEntry>;
export type ProjectFile = z.infer<typeof projectFile>;

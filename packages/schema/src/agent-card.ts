import { z } from "zod";

/** The tools that an agent can be given; all are confined to the activation's workspace. */
export const toolName = z.enum(["write_file", "read_file", "run_program", "run_tests"]);
export type ToolName = z.infer<typeof toolName>;

const instead = (product: string) =>
  z.string().min(1).optional().describe(`Stands in for \`instructions\` where the agent makes, judges or merges ${product}`);

/** `agents/*.yaml`: a role card. An agent is stateless between activations. */
export const agentCard = z
  .strictObject({
    agent: z.literal(1).describe("Version of this format"),
    name: z
      .string()
      .regex(/^[a-z][a-z0-9-]{0,63}$/)
      .describe("Name, unique in a topology: lower-case letters, digits and hyphens"),
    description: z.string().optional().describe("One line for people"),
    kind: z.enum(["actor", "critic", "aggregator"]).describe("What it does: make an artifact, judge one, or merge several"),
    model: z.string().min(1).default("default").describe("A model's name in troupe.yaml"),
    instructions: z.string().min(1).describe("The system prompt: who the agent is and how it works"),
    instructionsFor: z
      .strictObject({
        text: instead("a text"),
        files: instead("files"),
        choice: instead("a choice"),
        json: instead("a JSON value"),
      })
      .optional()
      .describe("Other instructions by the kind of artifact, so that one card fits tasks of every kind"),
    output: z
      .enum(["text", "files", "choice", "json"])
      .optional()
      .describe("Kind of artifact; actors and aggregators default to what the task asks for"),
    tools: z.array(toolName).default([]).describe("Tools the agent may use"),
    turns: z.number().int().min(1).max(50).default(4).describe("Model calls one activation may make, tool turns and the re-ask included"),
    temperature: z.number().min(0).max(2).optional().describe("Overrides the topology's temperature"),
    maxTokens: z
      .number()
      .int()
      .positive()
      .optional()
      .describe("Tokens one answer may have; default 1024, for files 2048 where the context has room; at most half the context"),
  })
  .describe("A role card");
export type AgentCard = z.infer<typeof agentCard>;

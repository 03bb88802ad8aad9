import { z } from "zod";
import { artifactRef } from "./artifact.ts";
import { outcome } from "./outcome.ts";

/** What kind of work an activation is. */
export const activationKind = z.enum(["act", "decide", "retrieve", "score", "wait"]);
export type ActivationKind = z.infer<typeof activationKind>;

/** A named input: an artifact that exists, or the output of an activation, which is then a parent. */
export const activationInput = z
  .union([
    z.strictObject({ name: z.string().min(1), ref: artifactRef }),
    z.strictObject({ name: z.string().min(1), from: z.number().int().nonnegative().describe("Id of the activation whose output it is") }),
  ])
  .describe("A named input");
export type ActivationInput = z.infer<typeof activationInput>;

/** What a person is asked by an activation of kind `wait`. */
export const waitQuestion = z
  .strictObject({
    ask: z.string().min(1).max(10_000).describe("The question"),
    options: z.array(z.string().min(1)).min(2).max(50).optional().describe("The answers to choose from; absent: any text"),
    seconds: z.number().positive().optional().describe("Seconds to wait for an answer, anew in each session; default: for ever"),
    otherwise: z.string().optional().describe("The answer when nobody has answered in time; absent: the activation fails"),
  })
  .describe("What a person is asked");
export type WaitQuestion = z.infer<typeof waitQuestion>;

/** What a director asks for; the engine gives ids in order, starting at `view.nextId`. */
export const activationDraft = z
  .strictObject({
    kind: activationKind,
    agent: z.string().optional().describe("Name of the agent in the run's table"),
    inputs: z.array(activationInput).describe("Named artifacts in; nothing else reaches the agent"),
    after: z.array(z.number().int().nonnegative()).default([]).describe("Activations that must be done first, without carrying data"),
    scope: z.string().default("").describe("Name of the scope; the run's own is empty"),
    label: z.string().describe("A few words for people, such as `2→3 critique 1`"),
    priority: z.number().default(0).describe("Ready activations with a higher one start first: the length of the path still ahead"),
    model: z.string().optional().describe("Overrides the card's model"),
    temperature: z.number().optional().describe("Used unless the card has one of its own"),
    wait: waitQuestion.optional().describe("What a person is asked; only for the kind `wait`"),
    meta: z
      .record(z.string(), z.union([z.string(), z.number(), z.boolean()]))
      .default({})
      .describe("Where it stands in the topology: node, edge, round, step"),
  })
  .describe("A piece of work that a director asks for");
export type ActivationDraft = z.input<typeof activationDraft>;

/** One piece of work done once: named artifacts in, one artifact out. */
export const activation = activationDraft
  .extend({ id: z.number().int().nonnegative().describe("Dense integer in the order of starting") })
  .describe("One piece of work done once");
export type Activation = z.infer<typeof activation>;

/** What a director answers: what to start, what to cancel, or how to finish. */
export interface Step {
  start?: readonly ActivationDraft[];
  cancel?: readonly number[];
  finish?: z.infer<typeof outcome>;
  /** It goes on without what a failed activation should have made, which is not tried again on a resume; where it starts or cancels something, that says so too. */
  handled?: true;
}

/** A step as the log keeps it. */
export const loggedStep = z
  .strictObject({
    start: z.array(activation).describe("Activations started by this step"),
    cancel: z.array(z.number().int().nonnegative()).describe("Activations cancelled by this step"),
    finish: outcome.optional().describe("How the director ends the run"),
    handled: z
      .literal(true)
      .optional()
      .describe("The director goes on without what the failed activation should have made: no resume tries it again"),
  })
  .describe("A step as the log keeps it");
export type LoggedStep = z.infer<typeof loggedStep>;

/** The activations that must be done before this one can run, each once. */
export function parentsOf(of: Pick<Activation, "inputs" | "after">): number[] {
  const parents: number[] = [];
  for (const input of of.inputs) if ("from" in input) parents.push(input.from);
  for (const id of of.after) parents.push(id);
  return parents.length < 2 ? parents : [...new Set(parents)];
}

import { z } from "zod";
import { loggedStep } from "./activation.ts";
import { agentCard } from "./agent-card.ts";
import { artifactRef } from "./artifact.ts";
import { limits } from "./limits.ts";
import { failure, outcome } from "./outcome.ts";
import { publicTask } from "./task.ts";
import { usage } from "./usage.ts";

const id = z.number().int().nonnegative().describe("Id of the activation");
const attempt = z.number().int().min(1).describe("Attempt, from 1");
const call = z.number().int().nonnegative().describe("Number of the call within the attempt, from 0");

/** Something nobody asked for: a message, presence lost, a timer, a human's answer. */
export const notice = z
  .strictObject({
    topic: z.string().min(1).describe("What it is about"),
    scope: z.string().default("").describe("The scope it is meant for"),
    data: z.json().describe("Its content"),
  })
  .describe("Something nobody asked for");
export type Notice = z.infer<typeof notice>;

const eventBodies = [
  z.strictObject({
    kind: z.literal("run.started"),
    run: z.string().describe("The run's name"),
    topology: z.string().describe("Name of the topology"),
    bundle: artifactRef.describe("The topology with its cards (artifact of kind json), so that a resume does not depend on files"),
    file: z.string().optional().describe("Path of the topology's file, absolute; absent: it was given as an object"),
    task: publicTask,
    taskRef: artifactRef.describe("The task's prompt as an artifact, the first input of every run"),
    from: z.strictObject({ run: z.string(), artifact: artifactRef }).optional().describe("The earlier product this run goes on from"),
    seed: z.number().int().nonnegative().describe("Seed of every random choice of the run"),
    limits,
    agents: z.record(z.string(), agentCard).describe("The run's table of agents"),
    version: z.string().describe("Version of Troupe that wrote it"),
  }),
  z.strictObject({
    kind: z.literal("run.resumed"),
    limits,
    redo: z.array(id).describe("Failed activations that run again; their failures no longer count"),
    bundle: artifactRef.optional().describe("A changed topology that holds from here on (artifact of kind json); absent: the one before"),
    agents: z.record(z.string(), agentCard).optional().describe("The table of agents that goes with it"),
    version: z.string().optional().describe("Version of Troupe that goes on with it"),
  }),
  z.strictObject({
    kind: z.literal("step"),
    cause: z
      .discriminatedUnion("kind", [
        z.strictObject({ kind: z.literal("start") }),
        z.strictObject({ kind: z.literal("settled"), activation: id }),
        z.strictObject({ kind: z.literal("notice"), seq: z.number().int().describe("Sequence number of the notice") }),
        z.strictObject({ kind: z.literal("idle") }),
      ])
      .describe("What the director was told"),
    step: loggedStep,
  }),
  z.strictObject({ kind: z.literal("activation.began"), activation: id, attempt }),
  z.strictObject({
    kind: z.literal("activation.retried"),
    activation: id,
    attempt: attempt.describe("The attempt that failed"),
    error: failure,
    delaySeconds: z.number().nonnegative().describe("Seconds until the next attempt"),
  }),
  z.strictObject({
    kind: z.literal("activation.settled"),
    activation: id,
    state: z.enum(["done", "failed", "cancelled"]).describe("How it ended"),
    artifact: artifactRef.optional().describe("Its output, when done"),
    error: failure.optional().describe("Why it did not end well"),
    usage: usage.describe("What its calls cost, over all attempts"),
    seconds: z.number().nonnegative().describe("Seconds from its first beginning"),
  }),
  z.strictObject({
    kind: z.literal("call.started"),
    activation: id,
    attempt,
    call,
    model: z.string().describe("The model's name in troupe.yaml"),
    request: z.string().describe("SHA-256 of the request"),
    reserved: z
      .strictObject({ tokens: z.number().nonnegative(), usd: z.number().nonnegative() })
      .describe("Counted as spent until the call is settled"),
  }),
  z.strictObject({
    kind: z.literal("call.settled"),
    activation: id,
    attempt,
    call,
    model: z.string().describe("The model's name in troupe.yaml"),
    request: z.string().describe("SHA-256 of the request"),
    messages: artifactRef.optional().describe("The messages sent (kind json)"),
    answer: artifactRef.optional().describe("The whole answer (kind json), absent when the call failed"),
    endpoint: z.string().describe("Who answered, such as a base URL or `embedded`"),
    error: failure.optional(),
    usage,
  }),
  z.strictObject({
    kind: z.literal("tool.used"),
    activation: id,
    attempt,
    tool: z.string().describe("The tool's name"),
    input: z.string().describe("What it was asked, shortened"),
    output: z.string().describe("What it answered, shortened"),
    ok: z.boolean().describe("Whether it succeeded"),
    exitCode: z.number().int().nullable().optional().describe("Exit code, when it ran a program"),
    sandbox: z.string().optional().describe("Which sandbox ran it"),
    seconds: z.number().nonnegative(),
  }),
  z.strictObject({ kind: z.literal("notice"), notice }),
  z.strictObject({ kind: z.literal("run.ended"), outcome, usage, seconds: z.number().nonnegative().describe("Seconds of this session") }),
] as const;

/** What happened, without when: the body of an event. */
export const eventBody = z.discriminatedUnion("kind", eventBodies);
export type EventBody = z.infer<typeof eventBody>;

const stamp = {
  seq: z.number().int().nonnegative().describe("Place in the run's log, dense, from 0"),
  at: z.number().describe("Milliseconds since 1970"),
};

/** One line of a run's log. */
export const runEvent = z
  .discriminatedUnion("kind", [
    eventBodies[0].extend(stamp),
    eventBodies[1].extend(stamp),
    eventBodies[2].extend(stamp),
    eventBodies[3].extend(stamp),
    eventBodies[4].extend(stamp),
    eventBodies[5].extend(stamp),
    eventBodies[6].extend(stamp),
    eventBodies[7].extend(stamp),
    eventBodies[8].extend(stamp),
    eventBodies[9].extend(stamp),
    eventBodies[10].extend(stamp),
  ])
  .describe("One line of a run's log");
export type RunEvent = z.infer<typeof runEvent>;
export type EventOf<Kind extends RunEvent["kind"]> = Extract<RunEvent, { kind: Kind }>;

/** Only for watchers, never in the log: a piece of text that a model is writing. */
export interface LiveDelta {
  readonly kind: "call.delta";
  readonly activation: number;
  readonly text: string;
}

/** What a watcher of a run sees: every line of the log once it is committed, and deltas between them. */
export type WatchedEvent = RunEvent | LiveDelta;

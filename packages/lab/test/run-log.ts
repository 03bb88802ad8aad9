import { createHash } from "node:crypto";
import type { LoggedRun } from "../src/run-metrics/run-parts.ts";
import {
  type ActivationDraft,
  activation,
  type Artifact,
  type ArtifactRef,
  canonicalJson,
  type EventBody,
  noUsage,
  type Outcome,
  type RunEvent,
  runEvent,
} from "@troupe/schema";

/** Writes a run's log by hand. */
export interface RunLog extends LoggedRun {
  readonly events: RunEvent[];
  put(artifact: Artifact): ArtifactRef;
  /** Starts activations, told by the end of another one; gives their ids. */
  start(cause: number | undefined, ...drafts: Partial<ActivationDraft>[]): number[];
  settle(id: number, made: Artifact | "failed"): ArtifactRef | undefined;
  end(outcome: Outcome, seconds?: number): void;
}

/** A Python program as an artifact. */
export function program(content: string, more: Record<string, string> = {}): Artifact {
  const files = Object.entries({ "main.py": content, ...more }).map(([path, text]) => ({ path, encoding: "utf8" as const, content: text }));
  return { kind: "files", files };
}

/** A critic's answer. */
export function says(verdict: "accept" | "revise", critique: string): Artifact {
  return { kind: "json", value: { verdict, critique } };
}

/** Begins a log; `actor` and `critic` are the agents that it knows. */
export function newRunLog({ bundle = {}, files = [] }: { bundle?: unknown; files?: { path: string; content: string }[] } = {}): RunLog {
  const artifacts = new Map<string, Artifact>();
  const events: RunEvent[] = [];
  let next = 0;
  const put = (artifact: Artifact): ArtifactRef => {
    const text = canonicalJson(artifact);
    const ref = { hash: createHash("sha256").update(text).digest("hex"), kind: artifact.kind, bytes: text.length };
    artifacts.set(ref.hash, artifact);
    return ref;
  };
  const write = (body: EventBody): void => void events.push(runEvent.parse({ ...body, seq: events.length, at: 1000 * events.length }));
  const read = (ref: ArtifactRef): Artifact => {
    const found = artifacts.get(ref.hash);
    if (found === undefined) throw new Error(`no artifact ${ref.hash}`);
    return found;
  };
  const card = (name: string, kind: "actor" | "critic") => ({ agent: 1, name, kind, instructions: "Work." });
  write({
    kind: "run.started",
    run: "r",
    topology: "t",
    bundle: put({ kind: "json", value: JSON.parse(JSON.stringify(bundle)) }),
    task: { id: "t", prompt: "p", output: "files", language: "python", files, tests: [] },
    taskRef: put({ kind: "text", text: "p" }),
    seed: 0,
    limits: {},
    agents: { actor: card("actor", "actor"), critic: card("critic", "critic") },
    version: "0",
  } as unknown as EventBody);
  return {
    events,
    read,
    put,
    start: (cause, ...drafts) => {
      const started = drafts.map((draft) =>
        activation.parse({ kind: "act", agent: "actor", inputs: [], label: "x", ...draft, id: next++ }),
      );
      const told = cause === undefined ? ({ kind: "start" } as const) : ({ kind: "settled", activation: cause } as const);
      write({ kind: "step", cause: told, step: { start: started, cancel: [] } });
      for (const { id } of started) write({ kind: "activation.began", activation: id, attempt: 1 });
      return started.map(({ id }) => id);
    },
    settle: (id, made) => {
      const usage = { ...noUsage, calls: 1, inputTokens: 80, outputTokens: 20 };
      const call = { activation: id, attempt: 1, call: 0, model: "default", request: "q" };
      write({ kind: "call.settled", ...call, endpoint: "fake", usage });
      const ref = made === "failed" ? undefined : put(made);
      const error = { code: "answer_unusable", message: "no", retryable: false };
      const how = ref === undefined ? { state: "failed" as const, error } : { state: "done" as const, artifact: ref };
      write({ kind: "activation.settled", activation: id, ...how, usage, seconds: 1 });
      return ref;
    },
    end: (outcome, seconds = 7) => write({ kind: "run.ended", outcome, usage: noUsage, seconds }),
  };
}

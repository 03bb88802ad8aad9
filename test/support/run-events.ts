import { type ArtifactRef, type EventBody, noUsage, type Usage } from "@troupe/schema";

/** A reference to an artifact that nobody has to have stored. */
const someRef: ArtifactRef = { hash: "ab".repeat(32), kind: "text", bytes: 12 };

/** The first event of a run. */
export function runStarted(run: string, prompt = "Write a unit converter."): EventBody {
  const task: (EventBody & { kind: "run.started" })["task"] = {
    id: "converter",
    prompt,
    output: "files",
    language: "python",
    files: [],
    tests: [],
  };
  const common = { bundle: someRef, task, taskRef: someRef, seed: 1, limits: {}, agents: {}, version: "0.1.0" };
  return { kind: "run.started", run, topology: "chain", ...common };
}

/** A settled model call. */
export function callSettled(usage: Partial<Usage> = {}, activation = 0): EventBody {
  const request = "cd".repeat(32);
  const call = { activation, attempt: 1, call: 0, model: "default", request, endpoint: "embedded" };
  return { kind: "call.settled", ...call, usage: { ...noUsage, ...usage } };
}

/** The events of one activation that calls a model once and leaves an artifact. */
export function activationEvents(id: number, output: ArtifactRef): EventBody[] {
  const usage: Usage = { calls: 1, inputTokens: 900, outputTokens: 250, usd: 0, seconds: 3.25, estimated: false };
  const inputs = id === 0 ? [{ name: "task", ref: someRef }] : [{ name: "draft", from: id - 1 }];
  const start = [
    { id, kind: "act" as const, agent: "programmer", inputs, after: [], scope: "", label: `node ${id}`, priority: 0, meta: { node: id } },
  ];
  const reserved = { tokens: 2000, usd: 0 };
  const request = "cd".repeat(32);
  return [
    { kind: "step", cause: id === 0 ? { kind: "start" } : { kind: "settled", activation: id - 1 }, step: { start, cancel: [] } },
    { kind: "activation.began", activation: id, attempt: 1 },
    { kind: "call.started", activation: id, attempt: 1, call: 0, model: "default", request, reserved },
    callSettled(usage, id),
    { kind: "activation.settled", activation: id, state: "done", artifact: output, usage, seconds: 3.5 },
  ];
}

/** The last event of a session. */
export function runEnded(usage: Usage = noUsage): EventBody {
  return { kind: "run.ended", outcome: { kind: "completed", artifact: someRef }, usage, seconds: 4 };
}

import { createMemoryStore } from "@troupe/engine";
import { type Activation, type Artifact, type EventBody, noUsage, publicTask, type RunStore, type Usage } from "@troupe/schema";

/** The name of the sample run. */
export const sampleRun = "20260301-140500-abcd";
/** When it began. */
export const sampleStart = Date.UTC(2026, 2, 1, 14, 5);

/** Usage of one call. */
export function usageOf(inputTokens: number, outputTokens: number, seconds = 2): Usage {
  return { ...noUsage, calls: 1, inputTokens, outputTokens, seconds };
}

/** A tree as an artifact. */
export function filesOf(tree: Record<string, string>): Artifact {
  return { kind: "files", files: Object.entries(tree).map(([path, content]) => ({ path, encoding: "utf8" as const, content })) };
}

/** What a {@link SampleLog} needs to settle an activation. */
interface Settled {
  readonly artifact?: Artifact;
  readonly error?: string;
  readonly usage?: Usage;
  readonly seconds?: number;
}

/** Writes the log of a run, event by event, into a store in memory; each event a second after the one before unless told otherwise. */
export class SampleLog {
  readonly store: RunStore = createMemoryStore();
  #at = sampleStart;
  #next = 0;

  constructor(limits: Record<string, number> = {}, prompt = "A command-line unit converter with tests") {
    const task = publicTask.parse({ id: "task", prompt });
    const bundle = this.store.put({ kind: "json", value: {} });
    const taskRef = this.store.put({ kind: "text", text: prompt });
    const common = { bundle, task, taskRef, seed: 1, limits, agents: {}, version: "0.1.0" };
    this.add({ kind: "run.started", run: sampleRun, topology: "review-chain", ...common });
  }

  get events() {
    return this.store.events(sampleRun);
  }

  /** Milliseconds since 1970 of the newest event. */
  get now(): number {
    return this.#at;
  }

  add(body: EventBody, seconds = 0): this {
    this.#at += seconds * 1000;
    this.store.append(sampleRun, [body], this.#at);
    return this;
  }

  start(agent: string, meta: Activation["meta"], label: string, inputs: Activation["inputs"] = []): number {
    const id = this.#next++;
    const start = [{ id, kind: "act" as const, agent, inputs, after: [], scope: "", label, priority: 0, meta }];
    this.add({ kind: "step", cause: { kind: "start" }, step: { start, cancel: [] } });
    return id;
  }

  begin(id: number): this {
    return this.add({ kind: "activation.began", activation: id, attempt: 1 });
  }

  /** A call with its messages and its answer. */
  call(id: number, prompt: string, text: string, usage = usageOf(300, 100)): this {
    const messages = this.store.put({
      kind: "json",
      value: [
        { role: "system", content: "You are careful." },
        { role: "user", content: prompt },
      ],
    });
    const answer = this.store.put({
      kind: "json",
      value: { text, toolCalls: [], finish: "stop", usage: { ...usage }, endpoint: "scripted" },
    });
    const name = { activation: id, attempt: 1, call: 0, model: "default", request: "cd".repeat(32) };
    return this.add({ kind: "call.settled", ...name, messages, answer, endpoint: "scripted", usage }, usage.seconds);
  }

  settle(id: number, { artifact, error, usage = noUsage, seconds = 1 }: Settled): this {
    const end =
      error === undefined
        ? { state: "done" as const, ...(artifact === undefined ? {} : { artifact: this.store.put(artifact) }) }
        : { state: "failed" as const, error: { code: "answer_unusable", message: error, retryable: false } };
    return this.add({ kind: "activation.settled", activation: id, ...end, usage, seconds }, seconds);
  }

  /** A node that wrote a tree, refined after a critique: activations 0 to 2. */
  firstNode(): this {
    const first = this.start("programmer", { node: "1", step: "act" }, "1");
    const tree = filesOf({ "main.py": "print(1)\n" });
    this.begin(first)
      .call(first, "Write it.", "main.py ...")
      .settle(first, { artifact: tree, usage: usageOf(300, 100) });
    const artifact = { name: "artifact", ref: this.store.put(tree) };
    const edge = { from: "1", to: "2", round: 1 };
    const critic = this.start("reviewer", { ...edge, node: "2", step: "critique" }, "1→2 critique", [artifact]);
    const verdict: Artifact = { kind: "json", value: { verdict: "revise", critique: "It has\nno \x1b[31mtests\x1b[0m." } };
    this.begin(critic)
      .call(critic, "Judge it.", "revise", usageOf(500, 20))
      .settle(critic, { artifact: verdict, usage: usageOf(500, 20) });
    const critique = { name: "critique", ref: this.store.put(verdict) };
    const refine = this.start("programmer", { ...edge, node: "1", step: "refine" }, "1→2 refine", [artifact, critique]);
    const better = filesOf({ "main.py": "print(2)\n", "test_main.py": "" });
    return this.begin(refine)
      .call(refine, "Change it.", "done")
      .settle(refine, { artifact: better, usage: usageOf(300, 100) });
  }
}

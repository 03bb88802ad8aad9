import { setImmediate } from "node:timers/promises";
import { createWaitRunner } from "@troupe/agents";
import { createMemoryStore, type EngineRun, executeRun, foldLog, resumeRun } from "@troupe/engine";
import { createScriptedModel } from "@troupe/models";
import { resumeTroupe, runTroupe } from "@troupe/runtime";
import {
  type ActivationDraft,
  type ActivationRunner,
  type Artifact,
  type Director,
  type Human,
  type RunEvent,
  type RunStore,
  systemClock,
} from "@troupe/schema";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { runHeader, scriptedPorts, textGraph, textTask, untilAborted, whoAsks } from "../support/scripted-world.ts";

/** The store as it was when the log of its run had so many events: what a crash leaves. */
function crashedAt(store: RunStore, run: string, events: readonly RunEvent[]): RunStore {
  const copy = createMemoryStore();
  for (const { seq: _seq, at, ...body } of events) copy.append(run, [body], at);
  return { ...copy, put: store.put, get: store.get };
}

/** No activation begins again after it was done. */
function checkNothingTwice(events: readonly RunEvent[]): void {
  const done = new Set<number>();
  for (const event of events) {
    if (event.kind === "activation.began") expect(done).not.toContain(event.activation);
    if (event.kind === "activation.settled" && event.state === "done") done.add(event.activation);
  }
}

async function settle(): Promise<void> {
  for (let turn = 0; turn < 6; turn++) await setImmediate();
}

/** People at a desk: who is asked now, by the id of what waits. */
class Desk implements Human {
  readonly open = new Map<number, (answer: string) => void>();

  ask: Human["ask"] = ({ activation: { id } }, signal) => {
    const answer = new Promise<string>((resolve) => void this.open.set(id, resolve));
    return Promise.race([answer, untilAborted(signal)]).finally(() => this.open.delete(id));
  };
}

const textOf = (artifact: Artifact | undefined): string => (artifact?.kind === "text" ? artifact.text : "");
const sign: ActivationRunner = ({ activation, inputs }) =>
  Promise.resolve({ kind: "text", text: `${activation.label}(${inputs.map(({ artifact }) => textOf(artifact)).join(", ")})` });

/** Branches that each ask somebody, work on the answer, and meet at the end. */
function branches(count: number): Director {
  const all = Array.from({ length: count }, (_, i) => i);
  const draft = (kind: "act" | "wait", label: string, from: readonly number[]): ActivationDraft => ({
    ...{ kind, label, inputs: from.map((id) => ({ name: `from ${id}`, from: id })) },
    ...(kind === "wait" && { wait: { ask: `${label}?` } }),
  });
  const join = draft(
    "act",
    "all",
    all.map((i) => count + i),
  );
  const start = [...all.map((i) => draft("wait", `ask ${i}`, [])), ...all.map((i) => draft("act", `work ${i}`, [i])), join];
  return {
    start: () => ({ start }),
    settled: ({ activation, artifact, error }) => {
      if (error !== undefined) return { finish: { kind: "failed", error } };
      return activation === 2 * count && artifact !== undefined ? { finish: { kind: "completed", artifact } } : {};
    },
    notice: () => ({}),
    idle: () => ({ deadlocked: ["nobody"] }),
    best: () => undefined,
  };
}

type Operation =
  | { readonly kind: "answer"; readonly which: number; readonly crash: boolean }
  | { readonly kind: "interrupt" }
  | { readonly kind: "crash" };

/** A run with people, gone on with by what was done to it; `answers` is the reference: what each question was answered, and stays. */
class Experiment {
  readonly count: number;
  readonly answers = new Map<number, string>();
  #store: RunStore = createMemoryStore();
  #desk = new Desk();
  #user = new AbortController();
  #going: EngineRun;
  #given = 0;

  constructor(count: number) {
    this.count = count;
    this.#going = this.#open(executeRun);
  }

  get result() {
    return this.#going.result;
  }

  get events(): RunEvent[] {
    return this.#store.events("test");
  }

  productOf(artifact: Parameters<RunStore["get"]>[0] | undefined): string {
    return artifact === undefined ? "" : textOf(this.#store.get(artifact));
  }

  async do(operation: Operation): Promise<void> {
    await settle();
    this.check();
    if (operation.kind === "answer") {
      const waiting = [...this.#desk.open.keys()].sort((a, b) => a - b);
      const id = waiting[operation.which % Math.max(1, waiting.length)];
      if (id === undefined) return;
      const answer = `answer ${this.#given++} to ${id}`;
      this.#desk.open.get(id)?.(answer);
      if (!operation.crash) await settle();
      const isKept = foldLog(this.events).rows[id]?.state === "done";
      if (isKept) this.answers.set(id, answer);
      if (!operation.crash) expect(isKept).toBe(true);
    }
    if (operation.kind !== "interrupt" && !(operation.kind === "answer" && !operation.crash)) await this.#crash();
    else if (operation.kind === "interrupt") await this.#interrupt();
    this.check();
  }

  /** The questions that are open are those that the reference has no answer to. */
  check(): void {
    if (foldLog(this.events).outcome !== undefined) return;
    const unanswered = Array.from({ length: this.count }, (_, i) => i).filter((i) => !this.answers.has(i));
    expect([...this.#desk.open.keys()].sort((a, b) => a - b)).toEqual(unanswered);
    checkNothingTwice(this.events);
  }

  async #interrupt(): Promise<void> {
    this.#user.abort("Ctrl-C");
    if ((await this.#going.result).outcome.kind === "completed") return;
    await this.#resume();
  }

  async #crash(): Promise<void> {
    const left = this.events;
    const before = this.#store;
    this.#user.abort("gone");
    await this.#going.result;
    if (foldLog(left).outcome?.kind === "completed") return;
    this.#store = crashedAt(before, "test", left);
    await this.#resume();
  }

  async #resume(): Promise<void> {
    this.#desk = new Desk();
    this.#user = new AbortController();
    this.#going = this.#open(({ header: _header, ...options }) => resumeRun(options));
    await settle();
  }

  #open(start: typeof executeRun) {
    const wait = createWaitRunner({ run: "test", human: this.#desk, clock: systemClock });
    const rest = { store: this.#store, models: createScriptedModel([]), runners: { act: sign, wait }, signal: this.#user.signal };
    return start({ run: "test", header: runHeader({}), director: branches(this.count), ...rest });
  }
}

const operations: fc.Arbitrary<Operation[]> = fc.array(
  fc.oneof(
    fc.record({ kind: fc.constant("answer" as const), which: fc.nat(5), crash: fc.boolean() }),
    fc.constant({ kind: "interrupt" as const }),
    fc.constant({ kind: "crash" as const }),
  ),
  { maxLength: 8 },
);

describe("row 8: of parallel waits, resuming one completes all, or an answer goes to another", () => {
  it("row 8: in every order of answers, interruptions and crashes each question is asked until it is answered, and its answer stays its own", async () => {
    await fc.assert(
      fc.asyncProperty(fc.integer({ min: 1, max: 4 }), operations, async (count, list) => {
        const run = new Experiment(count);
        for (const operation of list) await run.do(operation);
        for (let i = 0; i < count; i++) await run.do({ kind: "answer", which: 0, crash: false });
        const { outcome, artifact } = await run.result;
        expect(outcome).toMatchObject({ kind: "completed" });
        const parts = Array.from({ length: count }, (_, i) => `work ${i}(${run.answers.get(i)})`);
        expect(run.productOf(artifact)).toBe(`all(${parts.join(", ")})`);
      }),
      { numRuns: 60 },
    );
  });
});

describe("row 9: after a resume what was done runs again", () => {
  const inner = {
    nodes: [
      { id: "x", agent: "x" },
      { id: "y", agent: "y" },
    ],
    edges: ["x -> y"],
  };
  const graphs = {
    "a graph": textGraph(["a", "b", "c", "d"], ["a -> [b, c] -> d"], { defaults: { critic: "critic", rounds: 2 } }),
    "a graph in a graph, and a loop": textGraph(["a", "x", "y"], [], {
      nodes: [
        { id: "a", agent: "a" },
        { id: "g", graph: inner },
        { id: "l", loop: { graph: inner, times: 2 } },
      ],
      edges: ["a -> [g, l]"],
    }),
  };
  const answer = (who: string) => (who === "critic" ? "REVISE: say more" : `${who} speaks`);

  it.each(Object.entries(graphs))(
    "row 9: from every place of its log %s goes on without doing anything done again, or paying for an answer twice",
    async (_name, topology) => {
      const ports = scriptedPorts((request) => answer(whoAsks(request)));
      const { run, outcome } = await runTroupe({ topology, task: textTask, ports, seed: 1 }).result;
      const log = ports.store.events(run);
      const paid = ports.model.requests.length;
      for (let length = 1; length < log.length; length++) {
        const before = log.slice(0, length);
        const again = scriptedPorts((request) => answer(whoAsks(request)), { store: crashedAt(ports.store, run, before) });
        const resumed = await resumeTroupe({ run, ports: again }).result;
        expect(resumed.outcome).toEqual(outcome);
        checkNothingTwice(again.store.events(run));
        expect(again.model.requests).toHaveLength(paid - before.filter(({ kind }) => kind === "call.settled").length);
      }
    },
  );

  it("row 9: an agent that asks a model twice gets its first answer back, and a second resume finds all of it", async () => {
    const solo = textGraph(["a"], []);
    const first = scriptedPorts((_request, call) => (call === 0 ? "" : untilAborted(user.signal)));
    const user = new AbortController();
    const going = runTroupe({ topology: solo, task: textTask, ports: first }, { signal: user.signal });
    for await (const event of going) if (event.kind === "call.started" && event.call === 1) user.abort("Ctrl-C");
    const { run } = await going.result;
    const second = scriptedPorts(() => "I am here.", { store: first.store });
    const { outcome, usage } = await resumeTroupe({ run, ports: second }).result;
    expect(outcome.kind).toBe("completed");
    expect([second.model.requests.length, usage.calls]).toEqual([1, 3]);
    expect(second.model.requests[0]?.messages.at(-1)?.content).toContain("it was empty");
    await expect(resumeTroupe({ run, ports: second }).result).rejects.toMatchObject({ code: "run_not_resumable" });
  });
});

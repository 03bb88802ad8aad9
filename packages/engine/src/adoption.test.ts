import type { ActivationRunner, AgentCard, ArtifactRef, LoggedStep, RunEvent, RunStore } from "@troupe/schema";
import { expect, test } from "vitest";
import { type Dag, type DagDirector, header, noModels, question, run, scriptedModels, stepByStep } from "../test/scripted.ts";
import { type Adoption, createMemoryStore, foldLog, type ReplayedPart, replayRun, resumeRun } from "./index.ts";
import { requestHash } from "./request-hash.ts";

const dag: Dag = [[], [0], [1], [2]];
const signal = new AbortController().signal;
const other: ArtifactRef = { hash: "1".repeat(64), kind: "json", bytes: 0 };

const card = (instructions: string): AgentCard => ({
  ...{ agent: 1, name: "actor", kind: "actor", model: "m", instructions, tools: [], turns: 1 },
});

/** The same work by an agent of the table. */
function byActor(temperature: number, plan = dag): DagDirector {
  const base = stepByStep(plan);
  const staffed = <Step extends ReturnType<DagDirector["start"]>>(step: Step): Step => ({
    ...step,
    ...(step.start && { start: step.start.map((draft) => ({ ...draft, agent: "actor", temperature })) }),
  });
  return { ...base, start: (view) => staffed(base.start(view)), settled: (done, view) => staffed(base.settled(done, view)) };
}

/** Asks by the instructions of its card and at its temperature. */
const asking: ActivationRunner = async (context) => {
  const { activation, card: own, inputs } = context;
  const given = inputs.map(({ artifact }) => (artifact.kind === "text" ? artifact.text : "")).join(",");
  const { text } = await context.chat(question(`${own?.instructions} ${activation.temperature} ${activation.label}(${given})`));
  return { kind: "text", text };
};

const echo = () => scriptedModels((request) => `${request.messages[0]?.content} ${requestHash({ ...request, seed: 0 }).slice(0, 4)}`);

/** A run that was stopped after the second of four activations. */
async function stopped(plan = dag): Promise<RunStore> {
  const store = createMemoryStore();
  const user = new AbortController();
  const stopping: ActivationRunner = (context) => {
    if (context.activation.id === 2) user.abort();
    return asking(context);
  };
  const { outcome } = await run({
    ...{ director: byActor(0.1, plan), store, models: echo(), runners: { act: stopping }, signal: user.signal },
    header: { ...header(), agents: { actor: card("old") } },
  });
  expect(outcome.kind).toBe("cancelled");
  return store;
}

const compared = ({ start }: LoggedStep): unknown => start.map(({ label, inputs }) => [label, inputs]);

function adopt(trial: DagDirector): Adoption {
  return { bundle: other, agents: { actor: card("new") }, limits: { parallel: 2 }, trial, compared };
}

function resume(store: RunStore, director: DagDirector, adoption?: Adoption) {
  return resumeRun({ run: "test", director, store, models: echo(), runners: { act: asking }, signal, adopt: adoption }).result;
}

function textsOf(store: RunStore): string[] {
  return foldLog(store.events("test")).rows.map(({ output }) => {
    const artifact = output && store.get(output);
    return artifact?.kind === "text" ? (artifact.text.split("(")[0] ?? "") : "";
  });
}

test("resumeRun() takes a changed topology over for what has not begun, and logs it", async () => {
  const store = await stopped();
  const { outcome } = await resume(store, byActor(0.9), adopt(byActor(0.9)));
  expect(outcome.kind).toBe("completed");
  // The third had begun: it keeps its temperature, and is done by the agent as it is now.
  expect(textsOf(store)).toEqual(["old 0.1 node 0", "old 0.1 node 1", "new 0.1 node 2", "new 0.9 node 3"]);
  const resumed = store.events("test").find((event) => event.kind === "run.resumed");
  expect(resumed).toMatchObject({ bundle: other, agents: { actor: { instructions: "new" } }, limits: { parallel: 2 } });
  expect(foldLog(store.events("test"))).toMatchObject({ bundle: other, limits: { parallel: 2 } });
});

test("resumeRun() goes on with what an earlier session has taken over", async () => {
  const store = await stopped();
  await resume(store, byActor(0.9), adopt(byActor(0.9)));
  const crashed = createMemoryStore();
  const before = store
    .events("test")
    .filter(({ seq }) => seq <= (store.events("test").find(({ kind }) => kind === "run.resumed")?.seq ?? 0));
  for (const { seq: _seq, at, ...body } of before) crashed.append("test", [body], at);
  const both = { ...crashed, get: store.get, put: store.put };
  await resume(both, byActor(0.9));
  expect(textsOf(both).slice(2)).toEqual(["new 0.1 node 2", "new 0.9 node 3"]);
});

const join: Dag = [[], [], [0, 1], [2]];

/** Says something where the run has nothing: after the first of two that the third waits for. */
function talkative(): DagDirector {
  const base = byActor(0.1, join);
  const extra = { start: [{ kind: "act" as const, label: "extra", inputs: [] }] };
  return { ...base, settled: (done, view) => (done.activation === 0 ? extra : base.settled(done, view)) };
}

test.each([
  ["would have gone another way", dag, byActor(0.1, [[], [0], [0], [2]])],
  ["would have gone on where the run waits", join, talkative()],
])("resumeRun() refuses a changed topology that %s, and leaves the log as it is", async (_what, plan, trial) => {
  const store = await stopped(plan);
  const before = store.events("test");
  expect(() => resume(store, byActor(0.1, plan), adopt(trial))).toThrow(
    expect.objectContaining({ code: "topology_changed", message: expect.stringContaining("it answers with #") }),
  );
  expect(store.events("test")).toEqual(before);
  expect(store.holder("test", Date.now())).toBeUndefined();
});

test("replayRun() does a run again in which a changed topology was taken over in any place", async () => {
  const first = await stopped();
  const stop = first.events("test").length - 1;
  for (let length = 2; length <= stop; length++) {
    const store = crashedAt(first, first.events("test").slice(0, length));
    await resume(store, byActor(0.9), adopt(byActor(0.9)));
    const parts: ReplayedPart[] = [];
    const made = new Map([
      [other.hash, 0.9],
      [header().bundle.hash, 0.1],
    ]);
    const director = (_started: unknown, bundle: ArtifactRef) => byActor(made.get(bundle.hash) ?? 0);
    const replayed = replayRun({ run: "test", director, store, models: noModels, runners: { act: asking }, signal });
    for await (const part of replayed) parts.push(part);
    expect(parts.filter(({ same }) => !same)).toEqual([]);
    expect(parts.filter(({ kind }) => kind === "activation")).toHaveLength(4);
  }
});

function crashedAt(store: RunStore, events: readonly RunEvent[]): RunStore {
  const copy = createMemoryStore();
  for (const { seq: _seq, at, ...body } of events) copy.append("test", [body], at);
  return { ...copy, put: store.put, get: store.get };
}

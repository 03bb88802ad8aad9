import { type ActivationRunner, type ModelInfo, type RunStore, TroupeError } from "@troupe/schema";
import { expect, test } from "vitest";
import { allAtOnce, type Dag, type DagDirector, options, question, run, scriptedModels, sign, stepByStep } from "../test/scripted.ts";
import { createMemoryStore, executeRun, type ReplayedPart, type ReplayRunOptions, replayRun, resumeRun } from "./index.ts";

const dag: Dag = [[], [], [0], [0, 1], [2, 3]];
const signal = new AbortController().signal;

/** Asks what its model is, asks it twice, and uses a tool in between. */
const work: ActivationRunner = async (context) => {
  const info = await context.modelInfo("m");
  const inputs = context.inputs.map(({ artifact }) => (artifact.kind === "text" ? artifact.text : "")).join(",");
  const first = await context.chat(question(`${context.activation.label}(${inputs}) ${info.contextTokens} ${context.random.integer(99)}`));
  context.report({ tool: "check", input: first.text, output: "fine", ok: true, exitCode: 0, sandbox: "fake", seconds: 1 });
  const second = await context.chat(question(`again ${first.text}`));
  return { kind: "text", text: second.text };
};

let answers = 0;
/** Never answers the same twice, so that only the log can. */
const moody = () => scriptedModels(() => `answer ${answers++}`);
/** What a replay may ask: nothing. */
const silent = { info: () => Promise.reject<ModelInfo>(new Error("asked")) };

async function recorded(act: ActivationRunner = work, make: (dag: Dag) => DagDirector = stepByStep): Promise<RunStore> {
  const store = createMemoryStore();
  await run({ director: make(dag), store, models: moody(), runners: { act } });
  return store;
}

async function replay(store: RunStore, some: Partial<ReplayRunOptions> = {}): Promise<ReplayedPart[]> {
  const parts: ReplayedPart[] = [];
  const used = { run: "test", director: () => stepByStep(dag), store, models: silent, runners: { act: work }, signal, ...some };
  for await (const part of replayRun(used)) parts.push(part);
  return parts;
}

const differing = (parts: readonly ReplayedPart[]) =>
  parts.flatMap((part) => (part.same ? [] : [`${part.kind === "step" ? "step" : `#${part.activation.id}`}: ${part.reason}`]));
const made = (parts: readonly ReplayedPart[]) => parts.filter((part) => part.kind === "activation");

test.each([
  ["allAtOnce", allAtOnce],
  ["stepByStep", stepByStep],
] as const)("replayRun() gets every artifact and every step again without asking a model, and writes nothing (%s)", async (_, make) => {
  const store = await recorded(work, make);
  const before = store.events("test");
  const parts = await replay(store, { director: () => make(dag) });
  expect(differing(parts)).toEqual([]);
  expect(made(parts).map(({ activation, answers: used, tools }) => [activation.id, used, tools])).toEqual(
    dag.map((_parents, id) => [id, 2, 1]),
  );
  expect(parts.filter(({ kind }) => kind === "step")).toHaveLength(dag.length + 1);
  expect(store.events("test")).toEqual(before);
  expect(store.holder("test", Date.now())).toBeUndefined();
});

test("replayRun() gets a run again that was interrupted in any place and gone on with", async () => {
  for (let after = 2; after < 30; after++) {
    const user = new AbortController();
    const some = options({ director: stepByStep(dag), models: moody(), runners: { act: work }, signal: user.signal });
    const going = executeRun(some);
    let seen = 0;
    for await (const _ of going) if (++seen === after) user.abort();
    if ((await going.result).outcome.kind === "completed") break;
    expect(differing(await replay(some.store))).toEqual([]);
    const resumed = { run: "test", director: stepByStep(dag), store: some.store, models: moody(), runners: { act: work }, signal };
    expect((await resumeRun(resumed).result).outcome.kind).toBe("completed");
    const parts = await replay(some.store);
    expect(differing(parts)).toEqual([]);
    expect(made(parts)).toHaveLength(dag.length);
  }
});

test("replayRun() gets a run again in which calls and activations failed and were tried again", async () => {
  let broken = 0;
  const models = scriptedModels((_request, _options, call) => {
    if (call % 4 === 1) throw new TroupeError("model_failed", "down");
    return `answer ${answers++}`;
  });
  const act: ActivationRunner = async (context) => {
    if (context.activation.id === 3 && broken < 1) {
      broken++;
      throw new TroupeError("answer_unusable", "No code.");
    }
    return work(context);
  };
  const store = createMemoryStore();
  const limits = { attempts: 5 };
  expect((await run({ director: stepByStep(dag), store, models, runners: { act }, limits })).outcome.kind).toBe("failed");
  const going = resumeRun({ run: "test", director: stepByStep(dag), store, models, runners: { act }, signal });
  expect((await going.result).outcome.kind).toBe("completed");
  const parts = await replay(store);
  expect(differing(parts)).toEqual([]);
  expect(made(parts)).toHaveLength(dag.length);
}, 20_000);

test("replayRun() tells which artifact differs, and that others do not because of it", async () => {
  const store = await recorded();
  const act: ActivationRunner = async (context) => {
    const artifact = await work(context);
    return context.activation.id === 2 && artifact.kind === "text" ? { ...artifact, text: `${artifact.text}!` } : artifact;
  };
  const parts = await replay(store, { runners: { act } });
  expect(differing(parts)).toEqual(["#2: its artifact has other bytes"]);
  const other = made(parts).find(({ same }) => !same);
  expect(other?.replayed?.hash).toMatch(/^[0-9a-f]{64}$/);
  expect(other?.replayed?.hash).not.toBe(other?.logged.hash);
});

test("replayRun() tells of a tool that gave another result, and of what that led to", async () => {
  let check = 0;
  const tried: ActivationRunner = async (context) => {
    const exitCode = context.activation.id === 1 ? check++ : 0;
    context.report({ tool: "check", input: "", output: "", ok: exitCode === 0, exitCode, sandbox: "fake", seconds: 1 });
    const { text } = await context.chat(question(`${context.activation.id}: exit code ${exitCode}`));
    return { kind: "text", text };
  };
  const store = await recorded(tried);
  expect(differing(await replay(store, { runners: { act: tried } }))).toEqual([
    "#1: in call 0 it asks its model something that the log has no answer to; check gave another result than in the log (exit code 1 instead of 0)",
  ]);
});

test("replayRun() tells of an activation that fails now", async () => {
  const store = await recorded(sign);
  const act: ActivationRunner = (context) => (context.activation.id === 4 ? Promise.reject(new Error("no")) : sign(context));
  expect(differing(await replay(store, { runners: { act } }))).toEqual(["#4: it fails: no [internal]"]);
});

test("replayRun() tells where a director answers something else", async () => {
  const store = await recorded(sign);
  const renamed = (): DagDirector => {
    const base = stepByStep(dag);
    const rename = (step: ReturnType<typeof base.start>) =>
      step.start === undefined ? step : { ...step, start: step.start.map((draft) => ({ ...draft, label: `${draft.label}!` })) };
    return { ...base, start: (view) => rename(base.start(view)) };
  };
  const parts = await replay(store, { director: renamed, runners: { act: sign } });
  expect(differing(parts)).toEqual(["step: it answers with #0 node 0!, #1 node 1! instead of #0 node 0, #1 node 1"]);
  const throwing = (): DagDirector => ({
    ...stepByStep(dag),
    start: () => {
      throw new Error("forgot");
    },
  });
  expect(differing(await replay(store, { director: throwing, runners: { act: sign } }))[0]).toBe("step: the director fails: forgot");
});

test("replayRun() asks what is known of a model only where the log doesn't say", async () => {
  const whole = await recorded();
  const old = createMemoryStore();
  const kept = whole.events("test").filter(({ kind }) => kind !== "notice");
  expect(whole.events("test").length - kept.length).toBe(1);
  for (const { seq: _seq, at, ...body } of kept) old.append("test", [body], at);
  const store = { ...old, get: whole.get };
  expect(differing(await replay(store))[0]).toMatch(/^#0: it fails: asked/);
  const info = () => Promise.resolve<ModelInfo>({ contextTokens: 1000, tools: "text" });
  expect(differing(await replay(store, { models: { info } }))).toEqual([]);
});

test("replayRun() throws for a run that isn't there, and for an artifact that is lost", async () => {
  await expect(replay(createMemoryStore())).rejects.toMatchObject({ code: "run_unknown" });
  const store = await recorded(sign);
  const lost: RunStore = { ...createMemoryStore(), events: store.events };
  await expect(replay(lost, { runners: { act: sign } })).rejects.toMatchObject({ code: "store_damaged" });
});

test("replayRun() stops when it is aborted", async () => {
  const store = await recorded(sign);
  await expect(replay(store, { runners: { act: sign }, signal: AbortSignal.abort(new Error("enough")) })).rejects.toThrow("enough");
});

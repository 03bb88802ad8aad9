import { type ActivationRunner, type RunEvent, type RunStore, TroupeError } from "@troupe/schema";
import fc from "fast-check";
import { expect, test } from "vitest";
import {
  allAtOnce,
  count,
  type Dag,
  type DagDirector,
  noModels,
  options,
  question,
  run,
  scriptedModels,
  sign,
  stepByStep,
} from "../test/scripted.ts";
import { createMemoryStore, createVirtualClock, executeRun, foldLog, resumeRun } from "./index.ts";
import { requestHash } from "./request-hash.ts";

const dag: Dag = [[], [], [0], [0, 1], [2, 3]];

/** Asks twice, the second time with the first answer. */
const askTwice: ActivationRunner = async (context) => {
  const inputs = context.inputs.map(({ artifact }) => (artifact.kind === "text" ? artifact.text : "")).join(",");
  const first = await context.chat(question(`${context.activation.label}(${inputs})`));
  const second = await context.chat(question(`again ${first.text}`));
  return { kind: "text", text: second.text };
};

/** Answers by what is asked alone, so that equal work gives equal products. */
const echo = () => scriptedModels((request) => `<${requestHash({ ...request, seed: 0 }).slice(0, 8)}>`);

/** The store as it was when its run's log had so many events: what a crash leaves. */
function crashedAt(store: RunStore, events: readonly RunEvent[]): RunStore {
  const copy = createMemoryStore();
  for (const { seq: _seq, at, ...body } of events) copy.append("test", [body], at);
  return { ...copy, put: store.put, get: store.get };
}

function resume(store: RunStore, make: (dag: Dag) => DagDirector, act: ActivationRunner = askTwice) {
  const models = echo();
  const director = make(dag);
  const ran: string[] = [];
  const counting: ActivationRunner = (context) => {
    ran.push(context.activation.label);
    return act(context);
  };
  const signal = new AbortController().signal;
  return { models, director, ran, going: resumeRun({ run: "test", director, store, models, runners: { act: counting }, signal }) };
}

function checkNothingTwice(before: readonly RunEvent[], { models, director, ran }: ReturnType<typeof resume>): void {
  const { rows } = foldLog(before);
  const finished = rows.filter((row) => row.state === "done").map((row) => row.activation.label);
  for (const label of finished) expect(ran).not.toContain(label);
  expect(new Set(ran).size).toBe(ran.length);
  const answered = new Set(before.flatMap((event) => (event.kind === "call.settled" && event.answer ? [event.request] : [])));
  for (const request of models.asked) expect(answered.has(requestHash(request))).toBe(false);
  expect(new Set(director.told).size).toBe(director.told.length);
  expect(director.told.filter((told) => told.endsWith("done"))).toHaveLength(dag.length);
}

test.each([
  ["allAtOnce", allAtOnce],
  ["stepByStep", stepByStep],
] as const)("resumeRun() gets the same product from every prefix of a log, and pays for nothing twice (%s)", async (_, make) => {
  const store = createMemoryStore();
  const original = echo();
  const { outcome } = await run({ director: make(dag), store, models: original, runners: { act: askTwice } });
  const log = store.events("test");
  for (let length = 1; length < log.length; length++) {
    const before = log.slice(0, length);
    const crashed = crashedAt(store, before);
    const resumed = resume(crashed, make);
    const result = await resumed.going.result;
    expect(result.outcome).toEqual(outcome);
    checkNothingTwice(before, resumed);
    const answered = before.filter((event) => event.kind === "call.settled").length;
    expect(resumed.models.asked.length + answered).toBe(original.asked.length);
    const lost = count(before, "call.started") - answered;
    expect(result.usage.calls).toBe(original.asked.length + lost);
    expect(count(crashed.events("test"), "run.ended")).toBe(1);
    expect(foldLog(crashed.events("test")).openCalls.size).toBe(0);
  }
  expect(() => resume(store, make)).toThrow(/completed/);
});

test("resumeRun() gets the same product after any number of crashes in any places", async () => {
  const store = createMemoryStore();
  const { outcome } = await run({ director: stepByStep(dag), store, models: echo(), runners: { act: askTwice } });
  const cuts = fc.array(fc.double({ min: 0, max: 1, noNaN: true }), { minLength: 2, maxLength: 6 });
  await fc.assert(
    fc.asyncProperty(cuts, fc.constantFrom(allAtOnce, stepByStep), async (places, make) => {
      const first = createMemoryStore();
      await run({ director: make(dag), store: first, models: echo(), runners: { act: askTwice } });
      let current: RunStore = first;
      for (const place of places) {
        const log = current.events("test");
        const before = log.slice(0, 1 + Math.floor(place * (log.length - 1)));
        current = crashedAt(first, before);
        if (foldLog(before).outcome?.kind === "completed") break;
        const resumed = resume(current, make);
        expect((await resumed.going.result).outcome).toEqual(outcome);
        checkNothingTwice(before, resumed);
      }
    }),
    { numRuns: 60 },
  );
});

test("resumeRun() goes on after an interruption in any place", async () => {
  const store = createMemoryStore();
  const reference = await run({ director: stepByStep(dag), store, models: echo(), runners: { act: askTwice } });
  for (let after = 1; after < store.events("test").length - 1; after++) {
    const user = new AbortController();
    const some = options({ director: stepByStep(dag), models: echo(), runners: { act: askTwice }, signal: user.signal });
    const going = executeRun(some);
    let seen = 0;
    for await (const _ of going) if (++seen === after) user.abort();
    const { outcome } = await going.result;
    if (outcome.kind === "completed") continue;
    expect(outcome.kind).toBe("cancelled");
    const before = some.store.events("test");
    const resumed = resume(some.store, stepByStep);
    expect((await resumed.going.result).outcome).toEqual(reference.outcome);
    checkNothingTwice(before, resumed);
  }
});

test("resumeRun() goes on from an exhausted run with new limits, and ends again at once with the old ones", async () => {
  const store = createMemoryStore();
  const limits = { tokens: 450 };
  const { outcome } = await run({ director: stepByStep(dag), store, models: echo(), runners: { act: askTwice }, limits });
  expect(outcome).toMatchObject({ kind: "exhausted", limit: "tokens" });
  const again = resume(store, stepByStep);
  expect((await again.going.result).outcome).toMatchObject({ kind: "exhausted", used: outcome.kind === "exhausted" && outcome.used });
  expect(again.models.asked).toHaveLength(0);
  const models = echo();
  const signal = new AbortController().signal;
  const richer = resumeRun({
    ...{ run: "test", director: () => stepByStep(dag), store, models, runners: { act: askTwice }, signal },
    limits: { tokens: 10_000 },
  });
  expect((await richer.result).outcome.kind).toBe("completed");
  expect(foldLog(store.events("test"))).toMatchObject({ sessions: 3, limits: { tokens: 10_000 } });
});

test("resumeRun() reads of a log that is known only what came since", async () => {
  const store = createMemoryStore();
  await run({ director: stepByStep(dag), store, models: echo(), runners: { act: askTwice } });
  const log = store.events("test");
  const crashed = crashedAt(store, log.slice(0, -3));
  const parts: number[] = [];
  const watched: RunStore = {
    ...crashed,
    events: (name, part = {}) => {
      parts.push(part.from ?? 0);
      return crashed.events(name, part);
    },
  };
  const signal = new AbortController().signal;
  const known = crashed.events("test").slice(0, 4);
  const others = { director: stepByStep(dag), models: echo(), runners: { act: askTwice }, signal };
  const { outcome } = await resumeRun({ run: "test", store: watched, known, ...others }).result;
  expect(outcome.kind).toBe("completed");
  expect(parts).toEqual([4]);
});

test("resumeRun() writes nothing where the log can't be read", () => {
  const store = createMemoryStore();
  const touched: string[] = [];
  const damaged: RunStore = {
    ...store,
    events: () => {
      throw new TroupeError("store_damaged", "The log is damaged.");
    },
    acquire: (...words) => {
      touched.push("acquire");
      return store.acquire(...words);
    },
  };
  expect(() => resume(damaged, stepByStep)).toThrow(expect.objectContaining({ code: "store_damaged" }));
  expect(touched).toEqual([]);
});

test("resumeRun() counts the seconds of all sessions, also of a crashed one", async () => {
  const clock = createVirtualClock();
  const slow: ActivationRunner = async (context) => {
    await clock.sleep(4000, context.signal);
    return sign(context);
  };
  const parts = { store: createMemoryStore(), clock, runners: { act: slow }, models: noModels, signal: new AbortController().signal };
  const three: Dag = [[], [0], [1]];
  const first = await clock.runUntil(run({ ...parts, director: allAtOnce(three), limits: { seconds: 10 } }));
  expect(first.outcome).toMatchObject({ kind: "exhausted", limit: "seconds", used: 10 });
  const store = crashedAt(parts.store, parts.store.events("test").slice(0, -1));
  const limits = { seconds: 11 };
  const going = resumeRun({ ...parts, store, run: "test", director: allAtOnce(three), limits });
  const second = await clock.runUntil(going.result);
  expect(second.outcome).toMatchObject({ kind: "exhausted", used: 11 });
  expect(second.seconds).toBe(3);
});

test("resumeRun() takes back the failure that ended a run, with all it cancelled, and tries it as a new attempt", async () => {
  const store = createMemoryStore();
  let broken = true;
  const act: ActivationRunner = (context) => {
    if (broken && context.activation.label === "node 3") return Promise.reject(new TroupeError("answer_unusable", "No code."));
    return askTwice(context);
  };
  const fallback = { code: "internal", message: "?", retryable: false };
  // Only the loss of the last node ends this run, so that there is something cancelled to take back as well.
  const director: DagDirector = {
    ...allAtOnce(dag),
    settled: ({ activation, error }) => (activation === 4 ? { finish: { kind: "failed", error: error ?? fallback } } : {}),
  };
  const { outcome } = await run({ director, store, models: echo(), runners: { act } });
  expect(outcome.kind).toBe("failed");
  expect(foldLog(store.events("test")).counts).toMatchObject({ failed: 1, cancelled: 1 });
  const before = store.events("test");
  broken = false;
  const resumed = resume(store, allAtOnce, act);
  expect((await resumed.going.result).outcome.kind).toBe("completed");
  checkNothingTwice(before, resumed);
  expect(store.events("test")).toContainEqual(expect.objectContaining({ kind: "run.resumed", redo: [3, 4] }));
  const began = store
    .events("test")
    .flatMap((event) => (event.kind === "activation.began" && event.activation === 3 ? [event.attempt] : []));
  expect(began).toEqual([1, 2]);
  expect(resumed.director.told.filter((told) => /^[34] /.test(told))).toEqual(["3 done", "4 done"]);
});

test("resumeRun() takes the same failure back as often as it comes", async () => {
  const store = createMemoryStore();
  const act: ActivationRunner = (context) => (context.attempt < 3 ? Promise.reject(new Error("not yet")) : sign(context));
  const kinds = [(await run({ director: stepByStep(dag), store, runners: { act } })).outcome.kind];
  while (kinds.at(-1) === "failed") kinds.push((await resume(store, stepByStep, act).going.result).outcome.kind);
  expect(kinds.at(-1)).toBe("completed");
  expect(kinds.length).toBeGreaterThan(2);
});

test("resumeRun() leaves a failure that the director has answered with other work", async () => {
  const store = createMemoryStore();
  const make = (): DagDirector => ({
    ...allAtOnce([[]]),
    settled: ({ state, activation, artifact }) => {
      if (activation === 0) return { start: [{ kind: "act", label: "fallback", inputs: [] }] };
      return artifact
        ? { finish: { kind: "completed", artifact } }
        : { finish: { kind: "failed", error: { code: "internal", message: state, retryable: false } } };
    },
  });
  let broken = true;
  const act: ActivationRunner = (context) => (broken ? Promise.reject(new Error("no")) : sign(context));
  expect((await run({ director: make(), store, runners: { act } })).outcome.kind).toBe("failed");
  broken = false;
  const resumed = resume(store, make, act);
  expect((await resumed.going.result).outcome.kind).toBe("completed");
  expect(resumed.ran).toEqual(["fallback"]);
});

test("resumeRun() leaves a failure that the director says it goes on without", async () => {
  const store = createMemoryStore();
  const two = [0, 1].map((node) => ({ kind: "act" as const, label: `node ${node}`, inputs: [] }));
  const make = (): DagDirector => ({
    ...allAtOnce([[]]),
    start: () => ({ start: two }),
    settled: ({ activation, artifact, error }) => {
      if (activation === 0) return { handled: true };
      return { finish: artifact ? { kind: "completed", artifact } : { kind: "failed", error: error ?? noError } };
    },
  });
  const noError = { code: "internal", message: "?", retryable: false };
  let broken = true;
  const act: ActivationRunner = (context) => (broken || context.activation.id === 0 ? Promise.reject(new Error("no")) : sign(context));
  expect((await run({ director: make(), store, runners: { act } })).outcome.kind).toBe("failed");
  broken = false;
  const resumed = resume(store, make, act);
  expect((await resumed.going.result).outcome.kind).toBe("completed");
  expect(resumed.ran).toEqual(["node 1"]);
  expect(store.events("test")).toContainEqual(expect.objectContaining({ kind: "run.resumed", redo: [1] }));
});

test("resumeRun() lets logged steps win over what a changed director answers", async () => {
  const store = createMemoryStore();
  await run({ director: stepByStep(dag), store, models: echo(), runners: { act: askTwice } });
  const log = store.events("test");
  const before = log.slice(0, log.findIndex((event) => event.kind === "step" && event.cause.kind === "settled") + 1);
  const crashed = crashedAt(store, before);
  const renamed = (plan: Dag): DagDirector => {
    const base = stepByStep(plan);
    const start = base.start;
    return {
      ...base,
      start: (view) => ({ start: (start(view).start ?? []).map((draft) => ({ ...draft, label: `other ${draft.label}` })) }),
    };
  };
  await resume(crashed, renamed).going.result;
  expect(crashed.events("test").slice(0, before.length)).toEqual(before);
  expect(foldLog(crashed.events("test")).rows[0]?.activation.label).toBe("node 0");
});

test("resumeRun() leaves an answer empty that was empty when the log went on", async () => {
  const store = createMemoryStore();
  const { outcome } = await run({ director: allAtOnce(dag), store, models: echo(), runners: { act: askTwice } });
  const eager = (plan: Dag): DagDirector => {
    const base = allAtOnce(plan);
    return {
      ...base,
      settled: (done, view) => {
        const step = base.settled(done, view);
        return done.activation < 3 && step.finish === undefined ? { start: [{ kind: "act", label: "extra", inputs: [] }] } : step;
      },
    };
  };
  const log = store.events("test");
  const finish = log.findIndex((event) => event.kind === "step" && event.step.finish !== undefined);
  const crashed = crashedAt(store, log.slice(0, finish + 1));
  const resumed = resume(crashed, eager);
  expect((await resumed.going.result).outcome).toEqual(outcome);
  expect(foldLog(crashed.events("test")).rows).toHaveLength(dag.length);
});

test("resumeRun() keeps what the director has cancelled cancelled, from every prefix of a log", async () => {
  const canceller = (): DagDirector => ({
    ...allAtOnce([[], [], [], [1]]),
    settled: ({ activation, artifact }, view) => {
      if (activation === 0) return { cancel: [1] };
      const over = artifact !== undefined && view.state(1) === "cancelled" && view.state(2) === "done";
      return over ? { finish: { kind: "completed", artifact } } : {};
    },
    idle: (view) => {
      const artifact = view.output(2);
      return artifact ? { finish: { kind: "completed", artifact } } : { deadlocked: [] };
    },
  });
  const store = createMemoryStore();
  const act: ActivationRunner = (context) => (context.activation.id === 1 ? expect.unreachable() : sign(context));
  await run({ director: canceller(), store, runners: { act }, limits: { parallel: 1 } });
  const log = store.events("test");
  expect(log).not.toContainEqual(expect.objectContaining({ kind: "activation.began", activation: 1 }));
  for (let length = 1; length < log.length; length++) {
    const crashed = crashedAt(store, log.slice(0, length));
    await resume(crashed, canceller, act).going.result;
    expect(foldLog(crashed.events("test")).rows.map((row) => row.state)).toEqual(["done", "cancelled", "done", "cancelled"]);
    expect(count(crashed.events("test"), "activation.settled")).toBe(4);
  }
});

test("resumeRun() tells notices again, and the engine's own to nobody", async () => {
  const some = options({ director: stepByStep([[], [0]]) });
  const going = executeRun(some);
  going.notify({ topic: "human.answer", scope: "", data: 1 });
  await going.result;
  const kept = some.store.events("test").slice(0, -2);
  const store = crashedAt(some.store, kept);
  store.append("test", [{ kind: "notice", notice: { topic: "engine.given-up", scope: "", data: {} } }], 9e15);
  const director = stepByStep([[], [0]]);
  const signal = new AbortController().signal;
  await resumeRun({ run: "test", director, store, models: noModels, runners: { act: sign }, signal }).result;
  expect(director.told.filter((told) => told.startsWith("notice"))).toEqual(["notice human.answer"]);
});

test("resumeRun() fails when the director throws while it is told the log again", async () => {
  const store = createMemoryStore();
  await run({ director: stepByStep(dag), store, models: echo(), runners: { act: askTwice } });
  const crashed = crashedAt(store, store.events("test").slice(0, -2));
  const broken = (plan: Dag): DagDirector => ({
    ...stepByStep(plan),
    settled: () => {
      throw new Error("forgot");
    },
  });
  expect((await resume(crashed, broken).going.result).outcome).toMatchObject({
    kind: "failed",
    error: { message: expect.stringContaining("forgot") },
  });
});

test("resumeRun() refuses a run that isn't there, and a log that isn't one", () => {
  const signal = new AbortController().signal;
  const parts = { director: allAtOnce([[]]), models: noModels, runners: {}, signal };
  expect(() => resumeRun({ ...parts, run: "none", store: createMemoryStore() })).toThrow(expect.objectContaining({ code: "run_unknown" }));
  const headless: RunStore = {
    ...createMemoryStore(),
    events: () => [{ kind: "activation.began", activation: 0, attempt: 1, seq: 0, at: 0 }],
  };
  expect(() => resumeRun({ ...parts, run: "x", store: headless })).toThrow(expect.objectContaining({ code: "store_damaged" }));
});

import { type ActivationRunner, agentCard, type Limits } from "@troupe/schema";
import { expect, test } from "vitest";
import { allAtOnce, type Dag, header, options, question, run, scriptedModels, sign } from "../test/scripted.ts";
import { createMemoryStore, executeRun, foldLog, resumeRun } from "./index.ts";

const card = agentCard.parse({ agent: 1, name: "a", kind: "actor", instructions: "x" });

/** Calls a model as often as the activation's id says, one call after the other; each costs 100 tokens. */
const askOften: ActivationRunner = async (context) => {
  for (let i = 0; i <= context.activation.id; i++) await context.chat({ ...question(`${i}`), model: "m" });
  return sign(context);
};

/** Three independent nodes of one agent. */
const wide: Dag = [[], [], []];

function world(limits: Limits) {
  const director = allAtOnce(wide);
  const start: typeof director.start = (view) => {
    const step = director.start(view);
    return { start: (step.start ?? []).map((draft) => ({ ...draft, agent: "a" })) };
  };
  const given = options({
    store: createMemoryStore(),
    director: { ...director, start },
    models: scriptedModels(() => "x"),
    runners: { act: askOften },
  });
  return { ...given, header: { ...header(limits), agents: { a: card } } };
}

test("executeRun() fails an activation that used what it may, and nothing else", async () => {
  const given = world({ activation: { tokens: 150 } });
  const { outcome } = await executeRun(given).result;
  const { rows } = foldLog(given.store.events("test"));
  expect(rows.map(({ usage }) => usage.calls)).toEqual([1, 2, 2]);
  expect(rows.slice(0, 2).map(({ state }) => state)).toEqual(["done", "done"]);
  expect(rows[2]).toMatchObject({ state: "failed", error: { code: "activation_exhausted", retryable: false } });
  expect(rows[2]?.error?.message).toMatch(/^Activation 2 has used 200 of the 150 tokens that limits\.activation allows\./);
  expect(outcome).toMatchObject({ kind: "failed", error: { code: "activation_exhausted" } });
});

test.each<[string, Limits, string]>([
  ["an agent", { agents: { a: { calls: 4 } } }, "agent a"],
  ["a model", { models: { m: { calls: 4 } } }, "model m"],
])("executeRun() ends as exhausted when %s used what it may, over all sessions, and goes on with more", async (_, limits, of) => {
  const given = world(limits);
  const first = await executeRun(given).result;
  expect(first.outcome).toMatchObject({ kind: "exhausted", limit: "calls", allowed: 4, used: 4, of });
  const again = await resumeRun({ ...given, director: world({}).director }).result;
  expect(again.outcome).toEqual(first.outcome);
  const [kind = "", name = ""] = of.split(" ");
  const more = { [`${kind}s`]: { [name]: { calls: 6 } } };
  const last = await resumeRun({ ...given, director: world({}).director, limits: more }).result;
  expect([last.outcome.kind, last.usage.calls]).toEqual(["completed", 6]);
});

test("executeRun() holds an agent to its limit alone", async () => {
  const { outcome, usage } = await run({ ...world({}), header: { ...header({ agents: { b: { calls: 1 } } }), agents: { a: card } } });
  expect([outcome.kind, usage.calls]).toEqual(["completed", 6]);
});

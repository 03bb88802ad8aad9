import {
  type ActivationDraft,
  type ActivationRunner,
  agentCard,
  createRandom,
  type Director,
  type Limits,
  TroupeError,
} from "@troupe/schema";
import fc from "fast-check";
import { expect, test } from "vitest";
import { header, options, sign } from "../test/scripted.ts";
import { createMemoryStore, createVirtualClock, executeRun, foldLog } from "./index.ts";

const agents = Object.fromEntries(
  ["a", "b", "c"].map((name, i) => [
    name,
    agentCard.parse({ agent: 1, name, kind: "actor", instructions: "x", model: i === 2 ? "m2" : "m1" }),
  ]),
);

interface Node {
  readonly parents: readonly number[];
  readonly agent: string | undefined;
  readonly model: string | undefined;
  readonly priority: number;
  /** What becomes of it: it works, it needs a second attempt, or the director cancels it when another node is done. */
  readonly fate: "works" | "retries" | "cancelled";
}

const nodes: fc.Arbitrary<Node[]> = fc
  .array(
    fc.record({
      up: fc.array(fc.nat(), { maxLength: 3 }),
      agent: fc.option(fc.constantFrom("a", "b", "c", "ghost"), { nil: undefined }),
      model: fc.option(fc.constantFrom("m1", "m2", "m3"), { nil: undefined }),
      priority: fc.nat({ max: 3 }),
      fate: fc.constantFrom<Node["fate"][]>("works", "works", "works", "retries", "cancelled"),
    }),
    { minLength: 1, maxLength: 30 },
  )
  .map((all) => all.map(({ up, ...node }, i) => ({ ...node, parents: i === 0 ? [] : [...new Set(up.map((u) => u % i))] })));

const lane = fc.record({ parallel: fc.integer({ min: 1, max: 3 }) });
const limits: fc.Arbitrary<Limits> = fc.record(
  {
    parallel: fc.integer({ min: 1, max: 8 }),
    agents: fc.dictionary(fc.constantFrom("a", "b", "c"), lane),
    models: fc.dictionary(fc.constantFrom("m1", "m2", "m3"), lane),
  },
  { requiredKeys: [] },
);

/** Starts all nodes at once, cancels some whenever one is done, and finishes when all have ended. */
function directorOf(all: readonly Node[]): Director {
  let left = all.length;
  const doomed = all.flatMap(({ fate }, id) => (fate === "cancelled" ? [id] : []));
  const start = all.map(
    ({ parents, agent, model, priority }, i): ActivationDraft => ({
      ...{ kind: "act", label: `node ${i}`, priority, inputs: [], after: [...parents] },
      ...(agent && { agent }),
      ...(model && { model }),
    }),
  );
  const ended = { kind: "failed", error: { code: "over", message: "all have ended", retryable: false } } as const;
  return {
    start: () => ({ start }),
    settled: ({ state }) => {
      if (--left === 0) return { finish: ended };
      const next = state === "done" ? doomed.shift() : undefined;
      return next === undefined ? {} : { cancel: [next] };
    },
    notice: () => ({}),
    idle: () => ({ deadlocked: [`${left} have not ended`] }),
    best: () => undefined,
  };
}

function add<Name>(counts: Map<Name, number>, name: Name, more: number): number {
  const sum = (counts.get(name) ?? 0) + more;
  counts.set(name, sum);
  return sum;
}

/** Runs some virtual milliseconds each, and keeps how many ran at once, for whom. */
function counting(all: readonly Node[], clock: ReturnType<typeof createVirtualClock>, seed: number) {
  const running = new Map<string, number>();
  const most = new Map<string, number>();
  const began = new Map<number, number>();
  const act: ActivationRunner = async (context) => {
    const { id, agent, model } = context.activation;
    const names = [`agent ${agent}`, `model ${model ?? context.card?.model}`, "run"];
    add(began, id, 1);
    for (const name of names) most.set(name, Math.max(most.get(name) ?? 0, add(running, name, 1)));
    try {
      await clock.sleep(createRandom(seed, `${id}/${context.attempt}`).integer(50), context.signal);
    } finally {
      for (const name of names) add(running, name, -1);
    }
    if (all[id]?.fate === "retries" && context.attempt === 1) throw new TroupeError("model_failed", "500");
    return sign(context);
  };
  return { act, most, began };
}

test("executeRun() never runs more of an agent or on a model than its limit, runs each activation once, and never hangs", async () => {
  await fc.assert(
    fc.asyncProperty(nodes, limits, fc.nat(), async (all, some, seed) => {
      const clock = createVirtualClock();
      const store = createMemoryStore();
      const { act, most, began } = counting(all, clock, seed);
      const given = options({ clock, store, director: directorOf(all), runners: { act } });
      const going = executeRun({ ...given, header: { ...header(some), agents } });
      const { outcome } = await clock.runUntil(going.result);
      expect(outcome).toMatchObject({ kind: "failed", error: { code: "over" } });
      for (const [name, limit] of allowed(some)) expect(most.get(name) ?? 0).toBeLessThanOrEqual(limit);
      const { rows } = foldLog(store.events("test"));
      const wanted = rows.map(({ state }, id) => (all[id]?.fate === "retries" && state === "done" ? 2 : 1));
      rows.forEach(({ state }, id) => {
        if (state === "done") expect(began.get(id) ?? 0).toBe(wanted[id]);
        else expect(began.get(id) ?? 0).toBeLessThanOrEqual(2);
      });
    }),
    { numRuns: 150 },
  );
});

/** How many may run at once, for whom. */
function allowed({ parallel = 4, agents: ofAgents = {}, models = {} }: Limits): [string, number][] {
  const named = (kind: string, some: NonNullable<Limits["agents"]>) =>
    Object.entries(some).map(([name, { parallel: own = Infinity }]): [string, number] => [`${kind} ${name}`, own]);
  return [["run", parallel], ...named("agent", ofAgents), ...named("model", models)];
}

const independent = (some: readonly Partial<Node>[]): Node[] =>
  some.map((node) => ({ ...{ parents: [], agent: undefined, model: undefined, priority: 0, fate: "works" }, ...node }));

async function orderOf(all: readonly Node[], some: Limits): Promise<string[]> {
  const clock = createVirtualClock();
  const order: string[] = [];
  const act: ActivationRunner = async (context) => {
    order.push(`${clock.now()} ${context.activation.label.slice(5)}`);
    await clock.sleep(context.activation.agent === "b" ? 30 : 10, context.signal);
    return sign(context);
  };
  const given = options({ clock, director: directorOf(all), runners: { act } });
  await clock.runUntil(executeRun({ ...given, header: { ...header(some), agents } }).result);
  return order;
}

test("executeRun() keeps the longest path first among those that wait for a slot of their agent", async () => {
  const all = independent([{ agent: "a" }, { agent: "a", priority: 1 }, { agent: "a", priority: 3 }, { agent: "a", priority: 2 }]);
  expect(await orderOf(all, { agents: { a: { parallel: 1 } } })).toEqual(["0 2", "10 3", "20 1", "30 0"]);
});

test("executeRun() lets others run past those whose agent has no slot free", async () => {
  const all = independent([{ agent: "a", priority: 9 }, { agent: "a", priority: 8 }, { agent: "a", priority: 7 }, { agent: "b" }, {}]);
  expect(await orderOf(all, { parallel: 2, agents: { a: { parallel: 1 } } })).toEqual(["0 0", "0 3", "10 1", "20 2", "30 4"]);
});

test("executeRun() leaves no slot of an agent free because one of it waits for its model", async () => {
  const all = independent([
    { agent: "b", model: "m2", priority: 9 },
    { agent: "a", priority: 8 },
    { agent: "a", model: "m2", priority: 7 },
    { agent: "a", priority: 6 },
  ]);
  expect(await orderOf(all, { agents: { a: { parallel: 1 } }, models: { m2: { parallel: 1 } } })).toEqual(["0 0", "0 1", "10 3", "30 2"]);
});

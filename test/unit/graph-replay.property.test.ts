import { setImmediate } from "node:timers/promises";
import { createMemoryStore, executeRun, replayRun, resumeRun } from "@troupe/engine";
import { createScriptedModel } from "@troupe/models";
import { type ActivationRunner, type ArtifactRef, type Outcome, type RunEvent, type RunStore, TroupeError } from "@troupe/schema";
import type { CompiledGraph } from "@troupe/topology";
import { createDirector } from "@troupe/directors";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { graphOf } from "../../packages/directors/test/drive.ts";
import { type GraphSpec, toFiles } from "../../packages/directors/test/graph-spec.ts";
import { graphSpecs } from "../../packages/directors/test/random-graph.ts";
import { expect as expected } from "../../packages/directors/test/reference-graph.ts";
import { actOf, answerOf } from "../../packages/directors/test/scripted-answers.ts";
import { runHeader } from "../support/scripted-world.ts";

const run = "test";
const { signal } = new AbortController();
const models = createScriptedModel(() => "hm");

function compile(spec: GraphSpec): CompiledGraph {
  const { file, graphs } = toFiles(spec);
  return graphOf(file, graphs);
}

/** Everybody answers as the reference has it, some later than others. @param asks whether each asks a model first, which uses tokens. */
function runnersOf(seed: number, { asks, delays = [] }: { asks: boolean; delays?: readonly number[] }) {
  let turn = 0;
  const answer: ActivationRunner = async (context) => {
    const { activation, inputs } = context;
    if (asks) await context.chat({ model: "m", messages: [{ role: "user", content: activation.label }], maxTokens: 5 });
    for (let left = delays[turn++ % Math.max(1, delays.length)] ?? 0; left > 0; left--) await setImmediate();
    const given = inputs.filter(({ name }) => name !== "task").map(({ name, artifact }) => [name, artifact] as const);
    const made = answerOf(seed, actOf(activation), given);
    if (made === undefined) throw new TroupeError("answer_unusable", "Only prose.");
    return made;
  };
  return { act: answer, wait: answer, score: answer };
}

interface Scene {
  readonly spec: GraphSpec;
  readonly seed: number;
  readonly delays: readonly number[];
  readonly parallel: number;
  /** Whether agents ask a model: then conditions over what was used depend on who was faster. */
  readonly asks: boolean;
}

const scenes = (early: boolean): fc.Arbitrary<Scene> =>
  fc.record({
    spec: graphSpecs(early),
    seed: fc.nat(),
    delays: fc.array(fc.nat(3), { minLength: 1, maxLength: 12 }),
    parallel: fc.integer({ min: 1, max: 5 }),
    asks: fc.constant(early),
  });

/** Says which graph it was that a check fails for, in the words of a topology. */
async function about({ spec, ...rest }: Scene, check: () => Promise<void>): Promise<void> {
  try {
    await check();
  } catch (thrown) {
    throw new Error(`${String(thrown)}\nfor ${JSON.stringify({ ...rest, ...toFiles(spec) })}`, { cause: thrown });
  }
}

async function execute({ spec, parallel, ...rest }: Scene): Promise<{ store: RunStore; outcome: Outcome }> {
  const store = createMemoryStore();
  const taskRef = store.put({ kind: "text", text: "p" });
  const header = runHeader({ parallel }, { output: "text" }, { taskRef });
  const director = createDirector(compile(spec));
  const { outcome } = await executeRun({ run, header, director, store, models, runners: runnersOf(rest.seed, rest), signal }).result;
  return { store, outcome };
}

/** Goes on with what a crash has left: the first events of a log. */
async function goOn({ spec, ...rest }: Scene, store: RunStore, events: readonly RunEvent[]): Promise<{ left: RunStore; outcome: Outcome }> {
  const copy = createMemoryStore();
  for (const { seq: _seq, at, ...body } of events) copy.append(run, [body], at);
  const left = { ...copy, put: store.put, get: store.get };
  const director = () => createDirector(compile(spec));
  const { outcome } = await resumeRun({ run, director, store: left, models, runners: runnersOf(rest.seed, rest), signal }).result;
  return { left, outcome };
}

/** What of a run comes out otherwise when its log is told again. */
async function differences({ spec, seed, asks }: Scene, store: RunStore): Promise<unknown[]> {
  const parts: unknown[] = [];
  for await (const part of replayRun({
    run,
    director: () => createDirector(compile(spec)),
    store,
    models,
    runners: runnersOf(seed, { asks }),
    signal,
  })) {
    if (!part.same) parts.push(part);
  }
  return parts;
}

/** The log has one end for each session, nothing that was done begins again, and nobody works on what is not there. */
function checkLog(store: RunStore): void {
  const events = store.events(run);
  const done = new Set<number>();
  for (const event of events) {
    if (event.kind === "activation.began") expect(done).not.toContain(event.activation);
    if (event.kind === "activation.settled" && event.state === "done") done.add(event.activation);
    const inputs = event.kind === "step" ? event.step.start.flatMap(({ inputs }) => inputs) : [];
    for (const input of inputs) if ("ref" in input) store.get(input.ref);
  }
  const sessions = events.filter(({ kind }) => kind === "run.started" || kind === "run.resumed").length;
  const ends = events.filter(({ kind }) => kind === "run.ended").length;
  expect([ends, sessions - ends >= 0, events.at(-1)?.kind]).toEqual([ends, true, "run.ended"]);
}

const productOf = (store: RunStore, ref: ArtifactRef | undefined) => (ref === undefined ? undefined : store.get(ref));

describe("graphs in which nobody's being faster matters, with the real engine", () => {
  it("come to what a simple interpreter says, from every crash too, and are the same when they are told again", async () => {
    await fc.assert(
      fc.asyncProperty(scenes(false), fc.array(fc.nat(), { minLength: 1, maxLength: 4 }), (scene, crashes) =>
        about(scene, async () => {
          const { kind, product } = expected(scene.spec, scene.seed);
          const check = (store: RunStore, outcome: Outcome): void => {
            expect(outcome.kind).toBe(kind);
            if (kind === "completed") expect(productOf(store, outcome.artifact)).toEqual(product);
            if (outcome.kind === "failed") expect(outcome.error.code).not.toBe("internal");
            checkLog(store);
          };
          const { store, outcome } = await execute(scene);
          check(store, outcome);
          expect(await differences(scene, store)).toEqual([]);
          let log: readonly RunEvent[] = store.events(run);
          for (const crash of crashes) {
            // The last place is the whole log: what did not complete can be gone on with, and comes to the same.
            const length = 1 + (crash % (kind === "completed" ? log.length - 1 : log.length));
            const { left, outcome } = await goOn(scene, store, log.slice(0, length));
            check(left, outcome);
            expect(await differences(scene, left)).toEqual([]);
            log = left.events(run);
          }
        }),
      ),
      { numRuns: 120 },
    );
  });
});

describe("graphs with joins and votes that go on early, with the real engine", () => {
  it("come to one end from every crash, and are the same when they are told again", async () => {
    await fc.assert(
      fc.asyncProperty(scenes(true), fc.array(fc.nat(), { minLength: 1, maxLength: 4 }), (scene, crashes) =>
        about(scene, async () => {
          const { store, outcome } = await execute(scene);
          if (outcome.kind === "failed") expect(outcome.error.code).not.toBe("internal");
          let log: readonly RunEvent[] = store.events(run);
          expect(await differences(scene, store)).toEqual([]);
          for (const crash of crashes) {
            const isDone = log.some((event) => event.kind === "run.ended" && event.outcome.kind === "completed");
            const { left, outcome } = await goOn(scene, store, log.slice(0, 1 + (crash % (isDone ? log.length - 1 : log.length))));
            expect(["completed", "deadlocked", "failed"]).toContain(outcome.kind);
            if (outcome.kind === "failed") expect(outcome.error.code).not.toBe("internal");
            checkLog(left);
            expect(await differences(scene, left)).toEqual([]);
            log = left.events(run);
          }
        }),
      ),
      { numRuns: 120 },
    );
  });
});

import { getEventListeners } from "node:events";
import { setImmediate } from "node:timers/promises";
import { createMemoryStore, createVirtualClock, executeRun, foldLog } from "@troupe/engine";
import { createScriptedModel } from "@troupe/models";
import { runTaskSet, runTroupe } from "@troupe/runtime";
import {
  type ActivationDraft,
  type ActivationRunner,
  type ArtifactRef,
  type Director,
  type Settled,
  type Step,
  task as taskSchema,
  TroupeError,
} from "@troupe/schema";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { runHeader, scriptedPorts, textGraph, textTask, untilAborted, watch, whoAsks } from "../support/scripted-world.ts";

const unhandled: unknown[] = [];
const keep = (reason: unknown): void => void unhandled.push(reason);
beforeAll(() => void process.on("unhandledRejection", keep));
afterAll(async () => {
  await setImmediate();
  process.off("unhandledRejection", keep);
  expect(unhandled).toEqual([]);
});

const { signal } = new AbortController();
const job = (label: string): ActivationDraft => ({ kind: "act", label, inputs: [] });

/** What is done about a failure. */
const policies = ["fail-fast", "continue", "fallback"] as const;
/** What goes on where something fails. */
const situations = { alone: ["bad"], "beside running": ["bad", "slow"], "beside failed": ["bad", "bad too"] } as const;

/** Starts all at once; a last activation joins what came of them, when each has settled or was replaced. */
function directorOf(policy: (typeof policies)[number], labels: readonly string[]): Director {
  const outputs: ArtifactRef[] = [];
  let open = labels.length;
  const settled = ({ activation, state, error, artifact }: Settled, view: Parameters<Director["settled"]>[1]): Step => {
    const { label } = view.activation(activation);
    if (label === "join" && artifact !== undefined) return { finish: { kind: "completed", artifact } };
    if (state === "failed" && error !== undefined && policy === "fail-fast") {
      return { finish: { kind: "failed", error: { ...error, message: `${label}: ${error.message}` } } };
    }
    if (state === "failed" && policy === "fallback") return { start: [job(`instead of ${label}`)] };
    open--;
    if (artifact !== undefined) outputs.push(artifact);
    return open > 0 ? {} : { start: [{ ...job("join"), inputs: outputs.map((ref) => ({ name: "part", ref })) }] };
  };
  const rest = { notice: () => ({}), idle: () => ({ deadlocked: ["nobody"] }), best: () => undefined };
  return { start: () => ({ start: labels.map(job) }), settled, ...rest };
}

describe("row 5: a handled error is thrown anyway when the node ran beside others", () => {
  it.each(
    policies.flatMap((policy) => (Object.keys(situations) as (keyof typeof situations)[]).map((beside) => [policy, beside] as const)),
  )("row 5: %s holds when what fails is %s", async (policy, beside) => {
    const labels = situations[beside];
    const clock = createVirtualClock();
    const stopped: string[] = [];
    const act: ActivationRunner = async ({ activation: { label }, signal: own, inputs }) => {
      if (label === "slow") await clock.sleep(1000, own).catch((reason: unknown) => void stopped.push(label, String(reason)));
      if (label.startsWith("bad")) throw new TroupeError("answer_unusable", `${label} is bad.`);
      const parts = inputs.map(({ artifact }) => (artifact.kind === "text" ? artifact.text : ""));
      return { kind: "text", text: [label, ...parts.sort()].join(" + ") };
    };
    const store = createMemoryStore();
    const header = runHeader({ parallel: 8 });
    const run = executeRun({
      run: "test",
      header,
      director: directorOf(policy, labels),
      store,
      models: createScriptedModel([]),
      runners: { act },
      clock,
      signal,
    });
    const { outcome, artifact } = await clock.runUntil(run.result);
    const failed = foldLog(store.events("test")).rows.filter(({ state }) => state === "failed");
    expect(store.events("test").filter(({ kind }) => kind === "run.ended")).toHaveLength(1);
    if (policy === "fail-fast") {
      expect(outcome).toMatchObject({ kind: "failed", error: { code: "answer_unusable", message: "bad: bad is bad." } });
      expect(stopped.length).toBe(beside === "beside running" ? 2 : 0);
      return;
    }
    expect(outcome.kind).toBe("completed");
    expect(stopped).toEqual([]);
    expect(failed).toHaveLength(beside === "beside failed" ? 2 : 1);
    const replaced = policy === "fallback" ? failed.map(({ activation }) => `instead of ${activation.label}`) : [];
    const others = labels.filter((label) => !label.startsWith("bad"));
    expect(artifact && store.get(artifact)).toEqual({ kind: "text", text: ["join", ...[...replaced, ...others].sort()].join(" + ") });
  });

  it("row 5: an agent whose answer can't be used does not end a graph in which others succeed, and any other error does", async () => {
    const topology = textGraph(["a", "b", "c", "d"], ["a -> [b, c] -> d"]);
    const saying = (answer: string | Error) => scriptedPorts((request) => (whoAsks(request) === "b" ? answer : whoAsks(request)));
    expect((await runTroupe({ topology, task: textTask, ports: saying("") }).result).outcome.kind).toBe("completed");
    const broken = saying(new TroupeError("model_unauthorized", "The key is wrong."));
    const { outcome } = await runTroupe({ topology, task: textTask, ports: broken }).result;
    expect(outcome).toMatchObject({
      kind: "failed",
      error: { code: "model_unauthorized", message: expect.stringContaining("a→b develop") },
    });
  });
});

describe("row 6: an exception in a conditional edge ends the run without an error", () => {
  const thrown = { undefined: undefined, null: null, "a word": "no", "an object": { why: "no" }, "a foreign error": new RangeError("no") };

  it.each(Object.entries(thrown))("row 6: a runner that throws %s fails the run with its node", async (_name, value) => {
    const topology = textGraph(["a", "b"], ["a -> b"]);
    const ports = scriptedPorts((request) => {
      if (whoAsks(request) === "b") throw value;
      return "a";
    });
    const run = runTroupe({ topology, task: textTask, ports });
    const events = await watch(run);
    const { outcome } = await run.result;
    expect(outcome).toMatchObject({ kind: "failed", error: { code: "internal", message: expect.stringContaining("b (a→b develop)") } });
    expect(events.at(-1)).toMatchObject({ kind: "run.ended", outcome: { kind: "failed" } });
  });

  it.each(["start", "settled", "idle"] as const)(
    "row 6: a director that throws when it is told %s fails the run with the phase",
    async (phase) => {
      const base = directorOf("continue", ["a"]);
      const broken = () => {
        throw new TypeError("oh no");
      };
      const director: Director = { ...base, ...(phase === "idle" && { settled: () => ({}) }), [phase]: broken };
      const act: ActivationRunner = () => Promise.resolve({ kind: "text", text: "" });
      const run = executeRun({
        run: "test",
        header: runHeader({}),
        director,
        store: createMemoryStore(),
        models: createScriptedModel([]),
        runners: { act },
        signal,
      });
      const words = { start: "to start", settled: "that activation 0 is done", idle: "that nothing goes on" };
      expect((await run.result).outcome).toMatchObject({
        kind: "failed",
        error: { code: "internal", message: expect.stringMatching(`${words[phase]}.*oh no`) },
      });
    },
  );

  it.each([
    ["an edge", { edges: [{ from: "a", to: "b", when: "artifact.json.score > 3" }] }, /a -> b.*artifact\.json\.score > 3/s],
    [
      "a loop",
      {
        nodes: [{ id: "a", loop: { graph: { nodes: [{ id: "b", agent: "b" }] }, times: 3, until: "artifact.json.done" } }],
        edges: undefined,
      },
      /the loop a after round 1 .*artifact\.json\.done/s,
    ],
  ])("row 6: a condition of %s that can't be decided fails the run, with its place and its words", async (_name, file, words) => {
    const ports = scriptedPorts((request) => whoAsks(request));
    const run = runTroupe({ topology: textGraph(["a", "b"], [], file), task: textTask, ports });
    const events = await watch(run);
    expect((await run.result).outcome).toMatchObject({
      kind: "failed",
      error: { code: "condition_failed", message: expect.stringMatching(words) },
    });
    expect(events.at(-1)).toMatchObject({ kind: "run.ended", outcome: { kind: "failed" } });
  });

  it("row 6: who throws while watching gets its own error, and the run goes on to its end", async () => {
    const ports = scriptedPorts((request) => whoAsks(request));
    const run = runTroupe({ topology: textGraph(["a", "b"], ["a -> b"]), task: textTask, ports });
    const watching = (async () => {
      for await (const event of run) if (event.kind === "activation.began") throw new Error("a subscriber's own fault");
    })();
    await expect(watching).rejects.toThrow("a subscriber's own fault");
    expect((await run.result).outcome.kind).toBe("completed");
  });

  it.each(["onEvent", "onStart"] as const)(
    "row 6: a task set whose %s throws ends with that error, and leaves nothing running",
    async (hook) => {
      const ports = scriptedPorts((_request, _call, own) => untilAborted(own));
      let calls = 0;
      const throwing = (_run: unknown, event?: { kind: string }) => {
        if (event === undefined ? ++calls === 2 : event.kind === "call.started") throw new Error("a hook's own fault");
      };
      const rows = runTaskSet([0, 1].map(taskRun), { ports, jobs: 2, [hook]: throwing }, signal);
      await expect(rows.next()).rejects.toThrow("a hook's own fault");
      expect(ports.model.running).toBe(0);
      for (const { outcome } of ports.store.list(9)) expect(outcome).toBe("cancelled");
      expect(getEventListeners(signal, "abort")).toHaveLength(0);
    },
  );

  it("row 6: a task set in which the world fails does not wait for the runs beside it", async () => {
    const down = new TroupeError("model_unauthorized", "The key is wrong.");
    const ports = scriptedPorts((_request, call, own) => (call === 0 ? untilAborted(own) : down));
    const rows = runTaskSet([0, 1].map(taskRun), { ports, jobs: 2 }, signal);
    await expect(rows.next()).rejects.toMatchObject({ code: "model_unauthorized" });
    expect([ports.model.running, ports.model.aborted]).toEqual([0, 1]);
  });

  it("row 6: a task set whose rows are not taken any more leaves nothing running", async () => {
    const ports = scriptedPorts((request, call, own) => (call === 0 ? whoAsks(request) : untilAborted(own)));
    for await (const { outcome } of runTaskSet([0, 1].map(taskRun), { ports, jobs: 2 }, signal)) {
      expect(outcome).toBe("completed");
      break;
    }
    expect([ports.model.running, ports.model.aborted]).toEqual([0, 1]);
  });
});

/** The same short task once with each seed. */
function taskRun(seed: number) {
  return { topology: "x", bundle: textGraph(["a"], []), task: taskSchema.parse({ id: "t", prompt: "Who?", output: "text" }), seed };
}

import { createMemoryStore, executeRun } from "@troupe/engine";
import { createScriptedModel } from "@troupe/models";
import { runTroupe, taskRow } from "@troupe/runtime";
import { type Director, type Outcome, outcome as outcomeSchema, type RunStore, TroupeError } from "@troupe/schema";
import { openStore } from "@troupe/store";
import { afterEach, describe, expect, it } from "vitest";
import { type FakeWorld, fakeWorld } from "../../packages/troupe/test/fake-world.ts";
import { exitCodeOfOutcome } from "../../packages/troupe/src/exit-code.ts";
import { runHeader, scriptedPorts, textGraph, textTask, untilAborted, whoAsks } from "../support/scripted-world.ts";

const kinds = outcomeSchema.options.map((option) => option.shape.kind.value);
const worlds: FakeWorld[] = [];
afterEach(() => {
  for (const world of worlds.splice(0)) world.remove();
});

/** Runs so that it ends in a certain way. */
async function endAs(kind: Outcome["kind"], store: RunStore): Promise<Outcome> {
  const user = new AbortController();
  if (kind === "cancelled") user.abort("Ctrl-C");
  const done: Director = {
    start: () => ({ start: [{ kind: "act", label: "a", inputs: [] }] }),
    settled: ({ artifact, error }) => {
      if (error !== undefined) return { finish: { kind: "failed", error } };
      return kind === "deadlocked" || artifact === undefined ? {} : { finish: { kind: "completed", artifact } };
    },
    notice: () => ({}),
    idle: () => ({ deadlocked: ["a waits for b"] }),
    best: () => undefined,
  };
  const models = createScriptedModel(() => "x");
  const act: Parameters<typeof executeRun>[0]["runners"]["act"] = async (context) => {
    if (kind === "failed") throw new TroupeError("answer_unusable", "No code.");
    for (let i = 0; i < 2; i++) await context.chat({ model: "default", messages: [], maxTokens: 5 });
    return { kind: "text", text: "" };
  };
  const header = runHeader(kind === "exhausted" ? { calls: 1 } : {});
  return (await executeRun({ run: "test", header, director: done, store, models, runners: { act }, signal: user.signal }).result).outcome;
}

/** What the command says of the run that a store holds. */
async function shown(store: RunStore) {
  const world = fakeWorld({ script: [], store });
  worlds.push(world);
  const [runs, show, text] = [
    await world.call(["runs", "--json"]),
    await world.call(["show", "test", "--json"]),
    await world.call(["show", "test"]),
  ];
  return {
    runs: (JSON.parse(runs.stdout) as { outcome?: string }).outcome,
    show: (JSON.parse(show.stdout) as { outcome: Outcome | null }).outcome,
    text: text.stdout,
  };
}

describe("row 10: HTTP says completed for a suspended run", () => {
  it.each(kinds.flatMap((kind) => [[kind, "memory"] as const, [kind, "SQLite"] as const]))(
    "row 10: a run that ended as %s is called so everywhere (%s)",
    async (kind, where) => {
      const store = where === "memory" ? createMemoryStore() : openStore(":memory:");
      const ended = await endAs(kind, store);
      expect(ended.kind).toBe(kind);
      expect(store.events("test").at(-1)).toMatchObject({ kind: "run.ended", outcome: ended });
      expect(store.list(1)).toMatchObject([{ run: "test", outcome: kind }]);
      const { runs, show, text } = await shown(store);
      expect([runs, show]).toEqual([kind, JSON.parse(JSON.stringify(ended))]);
      expect(text).toContain(kind);
      expect(exitCodeOfOutcome(kind)).toBe({ completed: 0, failed: 1, deadlocked: 1, exhausted: 3, cancelled: 130 }[kind]);
      store.close();
    },
  );

  it("row 10: a run that goes on, and one that crashed, is not called ended anywhere, and least of all completed", async () => {
    const store = createMemoryStore();
    await endAs("completed", store);
    const log = store.events("test");
    for (let length = 1; length < log.length; length++) {
      const crashed = createMemoryStore();
      for (const { seq: _seq, at, ...body } of log.slice(0, length)) crashed.append("test", [body], at);
      expect(crashed.list(1)).toMatchObject([{ outcome: undefined }]);
      const { runs, show, text } = await shown({ ...crashed, get: store.get });
      expect([runs, show]).toEqual([undefined, null]);
      expect(text).not.toContain("completed");
    }
  });

  it("row 10: results of task sets know the same ends", () => {
    expect([...taskRow.shape.outcome.options].sort()).toEqual([...kinds].sort());
  });
});

describe("row 13: a recursion limit that nobody set ends a run, or changes in the middle of it", () => {
  it("row 13: a graph needs no limit, however deep it is", async () => {
    const nodes = Array.from({ length: 300 }, (_, i) => `n${i}`);
    const ports = scriptedPorts((request) => whoAsks(request));
    const { outcome, usage } = await runTroupe({ topology: textGraph(nodes, [nodes.join(" -> ")]), task: textTask, ports }).result;
    expect([outcome.kind, usage.calls]).toEqual(["completed", 300]);
    expect(ports.store.events(ports.store.resolve("last"))[0]).toMatchObject({ limits: {} });
  });

  it("row 13: the limits of a run are those it began with, whatever becomes of the object they came in", async () => {
    const limits = { calls: 3, parallel: 1 };
    const ports = scriptedPorts((request) => {
      Object.assign(limits, { calls: 1000, parallel: 1000 });
      return whoAsks(request);
    });
    const nodes = ["a", "b", "c", "d", "e"];
    const run = runTroupe({ topology: textGraph(nodes, [`a -> [${nodes.slice(1).join(", ")}]`]), task: textTask, ports, limits });
    const { outcome, usage } = await run.result;
    expect(outcome).toMatchObject({ kind: "exhausted", limit: "calls", allowed: 3, used: 3 });
    expect([usage.calls, ports.model.peak]).toEqual([3, 1]);
  });

  it("row 13: a loop ends after the rounds that its file allows, no more and no fewer, and one that allows none is refused", async () => {
    const looped = (loop: object) =>
      textGraph(["a"], [], { nodes: [{ id: "l", loop: { graph: { nodes: [{ id: "a", agent: "a" }] }, ...loop } }] });
    const ports = scriptedPorts((_request, call) => `round ${call + 1}`);
    const topology = looped({ times: 40, until: 'artifact.text == "never"' });
    const { outcome, artifact } = await runTroupe({ topology, task: textTask, ports }).result;
    expect([outcome.kind, artifact]).toEqual(["completed", { kind: "text", text: "round 40" }]);
    expect(() => looped({})).toThrow(/times/);
  });

  it("row 13: a loop that a limit ends says in which round it was", async () => {
    const loop = { graph: { nodes: [{ id: "a", agent: "a" }] }, times: 40 };
    const ports = scriptedPorts((_request, call) => `round ${call + 1}`);
    const { outcome, artifact, run } = await runTroupe({
      topology: textGraph(["a"], [], { nodes: [{ id: "l", loop }] }),
      task: textTask,
      ports,
      limits: { calls: 5 },
    }).result;
    expect([outcome, artifact]).toMatchObject([
      { kind: "exhausted", allowed: 5 },
      { kind: "text", text: "round 5" },
    ]);
    const world = fakeWorld({ script: [], store: ports.store });
    worlds.push(world);
    expect((await world.call(["show", run])).stdout).toContain("l#6");
  });

  it("row 13: a run that reaches a limit says which, and what it did last", async () => {
    const ports = scriptedPorts((request, call, signal) => (call < 2 ? whoAsks(request) : untilAborted(signal)));
    const topology = textGraph(["a", "b", "c"], ["a -> b -> c"]);
    const { outcome, artifact, run } = await runTroupe({ topology, task: textTask, ports, limits: { calls: 2 } }).result;
    expect(outcome).toMatchObject({ kind: "exhausted", limit: "calls", allowed: 2 });
    expect(artifact).toEqual({ kind: "text", text: "b" });
    const world = fakeWorld({ script: [], store: ports.store });
    worlds.push(world);
    const { stdout } = await world.call(["show", run]);
    expect(stdout).toMatch(/2 of 3 done[\s\S]*c develop ← b[\s\S]*The limit of 2 calls ended the run; it used 2 calls\./);
  });
});

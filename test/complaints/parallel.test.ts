import { getEventListeners } from "node:events";
import { setImmediate } from "node:timers/promises";
import { createNullStore, executeRun } from "@troupe/engine";
import { runTroupe } from "@troupe/runtime";
import { type RunEvent, TroupeError } from "@troupe/schema";
import { bundleTopology } from "@troupe/topology";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { prepareDag, runDag } from "../bench/support/dag-run.mjs";
import { scriptedPorts, textGraph, textTask, whoAsks } from "../support/scripted-world.ts";

/** Edges of a random graph in which every node is reached, some with several sources and some with several sinks. */
const graphs = fc
  .record({
    picks: fc.array(fc.array(fc.nat(1000), { minLength: 1, maxLength: 3 }), { minLength: 1, maxLength: 7 }),
    isTurned: fc.boolean(),
  })
  .map(({ picks, isTurned }) => {
    const pairs = picks.flatMap((parents, i) => [...new Set(parents.map((pick) => pick % (i + 1)))].map((from) => [from, i + 1] as const));
    const edges = pairs.map(([from, to]) => (isTurned ? `n${to} -> n${from}` : `n${from} -> n${to}`));
    return { nodes: Array.from({ length: picks.length + 1 }, (_, i) => `n${i}`), edges };
  });

const began = (events: readonly RunEvent[]) => events.flatMap((event) => (event.kind === "activation.began" ? [event.activation] : []));

describe("row 1: a fan-out with a concurrency of 1 silently runs nothing", () => {
  it("row 1: every reachable node runs exactly once at every concurrency", async () => {
    await fc.assert(
      fc.asyncProperty(graphs, async ({ nodes, edges }) => {
        const topology = textGraph(nodes, edges);
        const { graph } = bundleTopology(topology);
        const arrivals = new Map(nodes.map((node) => [node, edges.filter((edge) => edge.endsWith(` ${node}`)).length]));
        for (let parallel = 1; parallel <= nodes.length + 1; parallel++) {
          const ports = scriptedPorts(async (request, call) => {
            for (let turn = call % 3; turn > 0; turn--) await setImmediate();
            return whoAsks(request);
          });
          const { outcome, run } = await runTroupe({ topology, task: textTask, ports, limits: { parallel } }).result;
          expect(outcome.kind).toBe("completed");
          expect(ports.model.peak).toBeLessThanOrEqual(parallel);
          // Without critics the bound is exact: one activation for each source, each edge and each merge.
          expect(began(ports.store.events(run))).toHaveLength(graph.bound);
          expect(new Set(began(ports.store.events(run))).size).toBe(graph.bound);
          const asked = ports.model.requests.map(whoAsks);
          for (const node of nodes) expect(asked.filter((who) => who === node)).toHaveLength(Math.max(1, arrivals.get(node) ?? 0));
        }
      }),
      { numRuns: 20 },
    );
  });
});

describe("row 3: a warning of too many listeners on a shared signal", () => {
  it("row 3: a run 1,000 wide gives no warning and leaves no listener on the caller's signal", async () => {
    const warnings: Error[] = [];
    const warn = (warning: Error): void => void warnings.push(warning);
    process.on("warning", warn);
    const user = new AbortController();
    const leaves = Array.from({ length: 1000 }, (_, i) => `leaf${i}`);
    const topology = textGraph(["root", ...leaves], [`root -> [${leaves.join(", ")}]`], { defaults: { groupSize: 1000 } });
    const ports = scriptedPorts(
      (request, call) =>
        call > 0 && call % 50 === 0 ? new TroupeError("model_rate_limited", "Slow down.", { retryAfterSeconds: 0.01 }) : whoAsks(request),
      { delayMs: 1 },
    );
    const limits = { parallel: 2000, tokens: 1e9, seconds: 600 };
    const { outcome } = await runTroupe({ topology, task: textTask, ports, limits }, { signal: user.signal }).result;
    await setImmediate();
    process.off("warning", warn);
    expect(outcome.kind).toBe("completed");
    expect(ports.model.peak).toBe(1000);
    expect(warnings).toEqual([]);
    expect(getEventListeners(user.signal, "abort")).toHaveLength(0);
  });
});

describe("row 27: a join runs early, and several times", () => {
  it("row 27: each join of a ladder of diamonds runs once, when both of its sides are there", async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.integer({ min: 1, max: 6 }),
        fc.integer({ min: 1, max: 4 }),
        fc.infiniteStream(fc.nat(4)),
        async (rungs, parallel, turns) => {
          const levels = Array.from({ length: rungs }, (_, i) => i + 1);
          const nodes = ["j0", ...levels.flatMap((i) => [`a${i}`, `b${i}`, `j${i}`])];
          const edges = levels.map((i) => `j${i - 1} -> [a${i}, b${i}] -> j${i}`);
          const ports = scriptedPorts(async (request) => {
            for (let turn = turns.next().value; turn > 0; turn--) await setImmediate();
            const seen = request.messages.at(-1)?.content.match(/\b[abj]\d+\.\d+\b/g) ?? [];
            return `${whoAsks(request)}.${ports.model.requests.length} after ${[...new Set(seen)].join(" ")}`;
          });
          const { run, outcome } = await runTroupe({ topology: textGraph(nodes, edges), task: textTask, ports, limits: { parallel } })
            .result;
          expect(outcome.kind).toBe("completed");
          const started = ports.store.events(run).flatMap((event) => (event.kind === "step" ? event.step.start : []));
          for (const i of levels) {
            const merges = started.filter(({ label }) => label === `j${i} merge`);
            expect(merges).toHaveLength(1);
            const sides =
              merges[0]?.inputs.flatMap((input) => ("ref" in input && input.name === "candidate" ? [input.ref.hash] : [])) ?? [];
            expect(new Set(sides).size).toBe(2);
            expect(started.filter(({ label }) => label.endsWith(`→j${i} develop`))).toHaveLength(2);
          }
        },
      ),
      { numRuns: 25 },
    );
  });
});

describe("row 29: the scheduler looks at everything for every task", () => {
  /** Seconds of processor that a run needs whose agents do nothing: other work on the machine hardly counts. */
  async function cost(nodes: number): Promise<number> {
    const middle = Array.from({ length: nodes - 2 }, (_, i) => i + 1);
    const dag = prepareDag([[], ...middle.map(() => [0]), middle]);
    const before = process.cpuUsage();
    await runDag({ executeRun }, dag, { store: createNullStore(), parallel: 16, work: () => Promise.resolve({ kind: "text", text: "" }) });
    const { user, system } = process.cpuUsage(before);
    return (user + system) / 1e6;
  }

  it("row 29: sixteen times the activations side by side cost nowhere near 256 times as much", async () => {
    await cost(2000);
    const least = async (nodes: number) => Math.min(await cost(nodes), await cost(nodes), await cost(nodes));
    const ratio = (await least(32_000)) / (await least(2000));
    expect(ratio).toBeLessThan(64);
  });
});

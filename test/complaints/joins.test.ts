import { setImmediate } from "node:timers/promises";
import { foldLog } from "@troupe/engine";
import { runTroupe } from "@troupe/runtime";
import type { RunEvent } from "@troupe/schema";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { exitCodeOfOutcome } from "../../packages/troupe/src/exit-code.ts";
import { scriptedPorts, textGraph, textTask, untilAborted, whoAsks } from "../support/scripted-world.ts";

/** An edge with a condition that always holds, or never. */
interface Way {
  readonly from: number;
  readonly to: number;
  readonly open: boolean;
}

/** Random graphs from one source, some of whose edges are never taken, with any kind of join. */
const mazes = fc
  .array(
    fc.record({
      parents: fc.array(fc.nat(1000), { minLength: 1, maxLength: 3 }),
      open: fc.array(fc.boolean(), { minLength: 3, maxLength: 3 }),
      join: fc.nat(3),
    }),
    {
      minLength: 1,
      maxLength: 7,
    },
  )
  .map((picks) => {
    const ways = picks.flatMap(({ parents, open }, i): Way[] =>
      [...new Set(parents.map((pick) => pick % (i + 1)))].map((from, at) => ({ from, to: i + 1, open: open[at] ?? true })),
    );
    const joins = picks.map(({ join }, i) => {
      const most = ways.filter(({ to }) => to === i + 1).length;
      return join === 0 ? "all" : join === 1 ? "any" : Math.min(join, most);
    });
    return { count: picks.length + 1, ways, joins };
  });

/** The nodes that something sets off: the source, and each with an open way from one of them. */
function reached(count: number, ways: readonly Way[]): Set<number> {
  const on = new Set([0]);
  for (let node = 1; node < count; node++) if (ways.some(({ from, to, open }) => to === node && open && on.has(from))) on.add(node);
  return on;
}

/** Names of the nodes whose agents were at work. */
const workers = (events: readonly RunEvent[]): Set<string> =>
  new Set(foldLog(events).rows.flatMap(({ activation, beganAt }) => (beganAt === undefined ? [] : [String(activation.meta["node"])])));

describe("row 25: a graph stops because a join waits for an edge that never comes", () => {
  it("row 25: with any conditions and any joins a run ends: completed when a way leads to an end, else deadlocked with the ways that were not taken", async () => {
    await fc.assert(
      fc.asyncProperty(mazes, fc.integer({ min: 1, max: 4 }), async ({ count, ways, joins }, parallel) => {
        const names = Array.from({ length: count }, (_, i) => `n${i}`);
        const nodes = names.map((id, i) => ({ id, agent: id, ...(i > 0 && { join: joins[i - 1] }) }));
        const edges = ways.map(({ from, to, open }) => ({
          from: `n${from}`,
          to: `n${to}`,
          when: open ? "artifact.text != ''" : "artifact.text == ''",
        }));
        const ports = scriptedPorts((request) => whoAsks(request));
        const { outcome, run } = await runTroupe({
          topology: textGraph(names, [], { nodes, edges }),
          task: textTask,
          ports,
          limits: { parallel },
        }).result;
        const on = reached(count, ways);
        const ends = names.filter((_, i) => on.has(i) && !ways.some(({ from }) => from === i));
        const events = ports.store.events(run);
        const at = workers(events);
        for (const name of names) if (!on.has(Number(name.slice(1)))) expect(at).not.toContain(name);
        const began = events.flatMap((event) => (event.kind === "activation.began" ? [event.activation] : []));
        expect(new Set(began).size).toBe(began.length);
        if (ends.length > 0) {
          expect(outcome.kind).toBe("completed");
          if (joins.every((join) => join === "all")) for (const i of on) expect(at).toContain(`n${i}`);
          return;
        }
        expect(outcome.kind).toBe("deadlocked");
        expect(exitCodeOfOutcome(outcome.kind)).not.toBe(0);
        const waiting = outcome.kind === "deadlocked" ? outcome.waiting.join("\n") : "";
        for (const { from, to, open } of ways) if (!open && on.has(from)) expect(waiting).toContain(`n${from} -> n${to} was not taken`);
      }),
      { numRuns: 120 },
    );
  });

  it.each([
    ["all", ["a", "b", "c"]],
    ["any", ["a"]],
    [2, ["a", "b"]],
  ] as const)("row 25: a join of %s waits for just so many, and the work on the others is cancelled", async (join, met) => {
    const names = ["from", "a", "b", "c"];
    const topology = textGraph([...names, "to"], [], {
      nodes: [...names.map((id) => ({ id, agent: id })), { id: "to", pass: true, join }],
      edges: ["from -> [a, b, c] -> to"],
    });
    // Who is not waited for never answers.
    const ports = scriptedPorts((request, _call, signal) => {
      const who = whoAsks(request);
      const isMet = !["a", "b", "c"].includes(who) || met.some((name) => name === who);
      const given = request.messages.at(-1)?.content.match(/\b[abc]\b(?= of)/g) ?? ["none"];
      return isMet ? `${who} of ${given.join("+")}` : untilAborted(signal);
    });
    const { outcome, artifact, run } = await runTroupe({ topology, task: textTask, ports }).result;
    expect(outcome.kind).toBe("completed");
    const product = artifact?.kind === "text" ? artifact.text : "";
    expect(product).toBe(met.length === 1 ? "a of none" : `merger of ${met.join("+")}`);
    expect(foldLog(ports.store.events(run)).counts).toMatchObject({ failed: 0, done: met.length === 1 ? 2 : met.length + 2 });
    expect([ports.model.aborted, ports.model.running]).toEqual([3 - met.length, 0]);
  });
});

describe("row 27: a join runs early, and several times", () => {
  it("row 27: a join of so many goes on once with just so many, whoever comes first and whatever comes after", async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.integer({ min: 2, max: 7 }).chain((sources) => fc.tuple(fc.constant(sources), fc.integer({ min: 1, max: sources }))),
        fc.integer({ min: 1, max: 8 }),
        fc.infiniteStream(fc.nat(3)),
        async ([sources, need], parallel, turns) => {
          const names = Array.from({ length: sources }, (_, i) => `s${i}`);
          const topology = textGraph([...names, "tail"], [], {
            nodes: [...names.map((id) => ({ id, agent: id })), { id: "join", pass: true, join: need }, { id: "tail", agent: "tail" }],
            edges: [`${names.join(", ")} -> join -> tail`],
            defaults: { groupSize: 2 },
          });
          const ports = scriptedPorts(async (request) => {
            for (let left = turns.next().value; left > 0; left--) await setImmediate();
            const seen = request.messages.at(-1)?.content.match(/\bs\d\b/g) ?? [];
            return [whoAsks(request), ...seen].join(" ");
          });
          const { run, outcome } = await runTroupe({ topology, task: textTask, ports, limits: { parallel } }).result;
          expect(outcome.kind).toBe("completed");
          const began = new Set(ports.store.events(run).flatMap((event) => (event.kind === "activation.began" ? [event.activation] : [])));
          const { rows } = foldLog(ports.store.events(run));
          const labels = rows.flatMap(({ activation }) => (began.has(activation.id) ? [activation.label] : []));
          expect(labels.filter((label) => label === "join→tail develop")).toHaveLength(1);
          expect(labels.filter((label) => label === "join merge")).toHaveLength(need - 1);
          const tail = rows.at(-1);
          const product = tail?.output === undefined ? undefined : ports.store.get(tail.output);
          const met = new Set(product?.kind === "text" ? product.text.match(/\bs\d\b/g) : []);
          expect([tail?.activation.label, met.size]).toEqual(["join→tail develop", need]);
        },
      ),
      { numRuns: 40 },
    );
  });
});

describe("row 30: events of an inner graph leak into the outer stream, or vanish", () => {
  it("row 30: every activation of an inner graph names the way to its node, each round of a loop its own", async () => {
    const inner = {
      nodes: [
        { id: "x", agent: "x" },
        { id: "y", agent: "y" },
      ],
      edges: ["x -> y"],
    };
    const topology = textGraph(["a", "x", "y"], [], {
      nodes: [
        { id: "a", agent: "a" },
        { id: "g", graph: inner },
        { id: "l", loop: { graph: inner, times: 2 } },
      ],
      edges: ["a -> g -> l"],
    });
    const ports = scriptedPorts((request) => whoAsks(request));
    const { outcome, run } = await runTroupe({ topology, task: textTask, ports }).result;
    expect(outcome.kind).toBe("completed");
    const started = ports.store.events(run).flatMap((event) => (event.kind === "step" ? event.step.start : []));
    expect(started.map(({ scope, meta }) => `${scope}/${String(meta["node"])}`)).toEqual([
      "/a",
      "g/x",
      "g/y",
      "l#1/x",
      "l#1/y",
      "l#2/x",
      "l#2/y",
    ]);
    expect(new Set(started.map(({ label }) => label)).size).toBe(started.length);
  });
});

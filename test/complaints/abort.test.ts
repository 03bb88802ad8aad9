import { getEventListeners } from "node:events";
import { setImmediate } from "node:timers/promises";
import { createVirtualClock, foldLog } from "@troupe/engine";
import type { ModelScript } from "@troupe/models";
import { type Sandbox, topologyBundle, TroupeError } from "@troupe/schema";
import { describe, expect, it } from "vitest";
import { executeTopology, fakeSandbox, scriptedPorts, untilAborted } from "../support/scripted-world.ts";

/** Two programmers who start at once, and one who merges what they made. */
const topology = topologyBundle.parse({
  file: { troupe: 1, name: "pair", nodes: [{ id: "a" }, { id: "b" }], defaults: { actor: "programmer", aggregator: "merger" } },
  cards: {
    programmer: { agent: 1, name: "programmer", kind: "actor", tools: ["run_program"], instructions: "Write." },
    merger: { agent: 1, name: "merger", kind: "aggregator", instructions: "Merge." },
  },
});
const program = "main.py\n```python\nprint(1)\n```\n";

/** What a phase is interrupted in: who answers, and what is counted of those who were told. */
interface Phase {
  readonly script: (abort: () => void, seen: string[]) => ModelScript;
  readonly sandbox?: (abort: () => void, seen: string[]) => Sandbox;
  readonly parallel?: number;
  /** Who must have seen the abort. */
  readonly told: readonly string[];
  /** Model calls that were made. */
  readonly calls: number;
}

const waits = (who: string, seen: string[]) => (signal: AbortSignal) =>
  untilAborted(signal).finally(() => {
    if (signal.aborted) seen.push(who);
  });

const phases: Record<string, Phase> = {
  "while others are queued": {
    parallel: 1,
    script: (abort, seen) => (_request, _call, signal) => {
      abort();
      return waits("model", seen)(signal);
    },
    told: ["model"],
    calls: 1,
  },
  "in several model calls at once": {
    script: (abort, seen) => (_request, call, signal) => {
      if (call === 1) void setImmediate().then(abort);
      return waits("model", seen)(signal);
    },
    told: ["model", "model"],
    calls: 2,
  },
  "in a tool, which runs in the sandbox": {
    script: () => () => program,
    sandbox: (abort, seen) =>
      fakeSandbox((_job, signal) => {
        void setImmediate().then(abort);
        return waits("sandbox", seen)(signal);
      }),
    told: ["sandbox", "sandbox"],
    calls: 2,
  },
  "in the sleep before a retry": {
    script: (abort) => (_request, call) => {
      if (call === 1) void setImmediate().then(abort);
      return new TroupeError("model_rate_limited", "Slow down.", { retryAfterSeconds: 900 });
    },
    told: [],
    calls: 2,
  },
  "after the first of two siblings settled": {
    script: (abort, seen) => (_request, call, signal) => {
      if (call === 0) return program;
      void setImmediate().then(setImmediate).then(abort);
      return waits("model", seen)(signal);
    },
    told: ["model"],
    calls: 2,
  },
};

describe("row 4: an abort stops the model but not the tool, or does not reach the graph at all", () => {
  it.each(Object.keys(phases))("row 4: an abort %s reaches every callee, and the run ends in the same instant", async (name) => {
    const phase = phases[name] as Phase;
    const clock = createVirtualClock();
    const user = new AbortController();
    const seen: string[] = [];
    const abort = (): void => user.abort("Ctrl-C");
    const sandbox = phase.sandbox?.(abort, seen);
    const ports = scriptedPorts(phase.script(abort, seen), { clock, ...(sandbox && { sandbox }) });
    const limits = { parallel: phase.parallel ?? 4 };
    const run = executeTopology(topology, {}, { ports, clock, signal: user.signal, limits });
    const { outcome, seconds } = await clock.runUntil(run.result);
    expect(outcome).toMatchObject({ kind: "cancelled", reason: "Ctrl-C" });
    expect(seconds).toBe(0);
    expect(seen).toEqual(phase.told);
    expect(ports.model.requests).toHaveLength(phase.calls);
    expect(ports.model.running).toBe(0);
    const events = ports.store.events("test");
    expect(events.filter(({ kind }) => kind === "run.ended")).toHaveLength(1);
    expect(events.at(-1)?.kind).toBe("run.ended");
    expect(foldLog(events).openCalls.size).toBe(0);
    expect(getEventListeners(user.signal, "abort")).toHaveLength(0);
    await clock.advance(1e7);
    expect(ports.store.events("test")).toEqual(events);
    expect(ports.model.requests).toHaveLength(phase.calls);
  });

  it("row 4: what ignores its signal is given up after five seconds, and the log says so", async () => {
    const clock = createVirtualClock();
    const user = new AbortController();
    const sandbox = fakeSandbox(() => {
      user.abort("Ctrl-C");
      return new Promise(() => undefined);
    });
    const ports = scriptedPorts(() => program, { clock, sandbox });
    const run = executeTopology(topology, {}, { ports, clock, signal: user.signal, limits: { parallel: 1 } });
    const { outcome, seconds } = await clock.runUntil(run.result);
    expect([outcome.kind, seconds]).toEqual(["cancelled", 5]);
    const notices = ports.store.events("test").flatMap((event) => (event.kind === "notice" ? [event.notice] : []));
    expect(notices.at(-1)).toMatchObject({ topic: "engine.given-up", data: { activations: [0] } });
  });
});

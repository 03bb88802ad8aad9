import { getEventListeners } from "node:events";
import { setImmediate } from "node:timers/promises";
import { type RunTroupeOptions, runTroupe, type TroupeRun } from "@troupe/runtime";
import { type RunEvent, TroupeError } from "@troupe/schema";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import config from "../../vitest.config.ts";
import { scriptedPorts, textGraph, textTask, untilAborted, watch, whoAsks } from "../support/scripted-world.ts";

const unhandled: unknown[] = [];
const keep = (reason: unknown): void => void unhandled.push(reason);
beforeAll(() => void process.on("unhandledRejection", keep));
afterAll(() => void process.off("unhandledRejection", keep));

const topology = textGraph(["a", "b"], ["a -> b"]);
const nobody = () => scriptedPorts([]);

/** Calls that are wrong before anything runs. */
const setUps: Record<string, Partial<RunTroupeOptions>> = {
  file_invalid: { topology: { file: { troupe: 1, name: "x" }, cards: {} } as never, ports: nobody() },
  file_missing: { topology: "no/such.yaml", ports: nobody() },
  model_unknown: { ports: { ...nobody(), modelNames: ["other"] } },
  call_invalid: { task: { prompt: 1 } as never, ports: nobody() },
  run_unknown: { from: "no-such-run", ports: nobody() },
};

const codeOf = (thrown: unknown): unknown => (thrown as { code?: unknown }).code;

describe("row 7: a stream never ends, or the process dies of an unhandled rejection when the set-up throws", () => {
  it.each([...Object.entries(setUps), ["file_missing", { project: "no-such-troupe.yaml" }] as const])(
    "row 7: %s in the set-up ends the stream and the result with the error, and kills nobody who looks at neither",
    async (code, options) => {
      const start = (): TroupeRun => runTroupe({ topology, task: textTask, ...options });
      await expect(start().result.catch(codeOf)).resolves.toBe(code);
      await expect(watch(start()).catch(codeOf)).resolves.toBe(code);
      start();
      await start().result.catch(() => undefined);
      await setImmediate();
      expect(unhandled).toEqual([]);
    },
  );

  it.each([
    ["completed", {}],
    ["exhausted", { limits: { calls: 1 } }],
    ["failed", { broken: true }],
    ["cancelled", { abort: true }],
  ] as const)("row 7: a %s run ends each of its streams with exactly one terminal event", async (kind, how) => {
    const user = new AbortController();
    const ports = scriptedPorts((request, call, signal) => {
      if (call === 0) return whoAsks(request);
      if ("abort" in how) user.abort("Ctrl-C");
      if ("abort" in how) return untilAborted(signal);
      return "broken" in how ? new TroupeError("model_unauthorized", "The key is wrong.") : whoAsks(request);
    });
    const limits = "limits" in how ? how.limits : {};
    const run = runTroupe({ topology, task: textTask, ports, limits }, { signal: user.signal });
    const streams = [watch(run), watch(run)];
    const { outcome, run: name } = await run.result;
    streams.push(watch(run));
    expect(outcome.kind).toBe(kind);
    for (const events of await Promise.all(streams)) {
      expect(events).toEqual(ports.store.events(name));
      expect(events.filter((event) => event.kind === "run.ended")).toHaveLength(1);
      expect(events.at(-1)).toMatchObject({ kind: "run.ended", outcome: { kind } });
    }
    expect(unhandled).toEqual([]);
  });

  it.each(["run.started", "call.started", "call.delta", "activation.settled", "run.ended"])(
    "row 7: who leaves the stream at its first %s leaves nothing running behind the run's end",
    async (kind) => {
      const user = new AbortController();
      const ports = scriptedPorts((request) => `${whoAsks(request)} speaks`);
      const run = runTroupe({ topology, task: textTask, ports }, { signal: user.signal });
      for await (const event of run) if (event.kind === kind) break;
      expect((await run.result).outcome.kind).toBe("completed");
      expect([ports.model.running, getEventListeners(user.signal, "abort").length]).toEqual([0, 0]);
      expect(unhandled).toEqual([]);
    },
  );

  it("row 7: the suite fails on any unhandled rejection", () => {
    expect(JSON.stringify(config)).not.toMatch(/dangerouslyIgnoreUnhandledErrors|onUnhandledError/);
  });
});

describe("row 30: events of an inner run leak into the outer stream, or vanish", () => {
  /** Every event that names an activation names one of the same stream, and the stream is of one run. */
  function checkOwn(events: readonly RunEvent[], run: string): string[] {
    const labels = new Map(
      events.flatMap((event) => (event.kind === "step" ? event.step.start.map(({ id, label }) => [id, label] as const) : [])),
    );
    expect(events.map(({ seq }) => seq)).toEqual(events.map((_, index) => index));
    expect(events.filter((event) => event.kind === "run.started").map((event) => event.run)).toEqual([run]);
    for (const event of events) if ("activation" in event) expect(labels.has(event.activation)).toBe(true);
    return [...labels.values()];
  }

  it("row 30: runs inside of runs have streams of their own, with everything of theirs and nothing of others", async () => {
    const inner: { events: RunEvent[]; run: string; deltas: string }[] = [];
    const ports = scriptedPorts(async (request) => {
      const who = whoAsks(request);
      if (!who.startsWith("outer")) return `${who} speaks`;
      const names = [`inner${who}`, `next${who}`];
      const run = runTroupe({ topology: textGraph(names, [`${names[0]} -> ${names[1]}`]), task: textTask, ports });
      const events: RunEvent[] = [];
      let deltas = "";
      for await (const event of run) {
        if (event.kind === "call.delta") deltas += event.text;
        else events.push(event);
      }
      inner.push({ events, run: (await run.result).run, deltas });
      return `${who} has heard`;
    });
    const outer = runTroupe({ topology: textGraph(["outera", "outerb"], []), task: textTask, ports });
    let deltas = "";
    const events: RunEvent[] = [];
    for await (const event of outer) {
      if (event.kind === "call.delta") deltas += event.text;
      else events.push(event);
    }
    const { run } = await outer.result;
    expect(checkOwn(events, run).sort()).toEqual(["outera", "outerb", "product merge"]);
    expect(events).toEqual(ports.store.events(run));
    expect(deltas).toContain("outera has heard");
    expect(deltas).not.toContain("inner");
    expect(inner).toHaveLength(2);
    for (const one of inner) {
      const of = checkOwn(one.events, one.run)[0]?.slice("inner".length);
      expect(checkOwn(one.events, one.run)).toEqual([`inner${of}`, `inner${of}→next${of} develop`]);
      expect(one.events).toEqual(ports.store.events(one.run));
      expect(one.deltas).toBe(`inner${of} speaksnext${of} speaks`);
    }
  });
});

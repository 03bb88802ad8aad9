import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createMemoryStore, foldLog } from "@troupe/engine";
import { createScriptedModel } from "@troupe/models";
import { type ChatRequest, type Limits, projectFile, type Sandbox } from "@troupe/schema";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import type { Ports } from "./ports.ts";
import { replayTroupe } from "./replay-troupe.ts";
import { type ResumeTroupeOptions, resumeTroupe, runTroupe } from "./run-troupe.ts";

let folder = "";
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "troupe-changed-"));
  write({}, {});
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const sandbox: Sandbox = { name: "fake", strength: "none", run: () => Promise.reject(new Error("Nothing runs programs here.")) };

/** Answers with what it is told to be. */
const says = (request: ChatRequest): string => `${request.messages[0]?.content} at ${request.temperature} as ${request.model}`;

function newPorts(): Ports & { readonly requests: readonly ChatRequest[] } {
  const models = createScriptedModel(says);
  const project = { root: folder, path: undefined, file: projectFile.parse({ limits: { attempts: 2 } }) };
  const ports = { project, models, modelNames: undefined, sandbox, store: createMemoryStore(), close: async () => undefined };
  return { ...ports, requests: models.requests };
}

const file = () => join(folder, "chain.yaml");

/** A chain of three actors without critics: one call each. YAML is JSON's superset. */
function write(change: object, cardChange: object): void {
  const defaults = { actor: "actor.yaml", temperature: 0.2 };
  const topology = { troupe: 1, name: "chain", shape: { kind: "chain", size: 3 }, defaults, limits: { calls: 1, parallel: 2 } };
  writeFileSync(file(), JSON.stringify({ ...topology, ...change }));
  writeFileSync(
    join(folder, "actor.yaml"),
    JSON.stringify({ agent: 1, name: "worker", kind: "actor", instructions: "old", ...cardChange }),
  );
}

/** A run that one call has exhausted, and the world it lives in. */
async function begun(limits?: Limits) {
  const ports = newPorts();
  const { outcome } = await runTroupe({ topology: file(), task: { prompt: "x", output: "text" }, ports, limits, seed: 1 }).result;
  expect(outcome.kind).toBe("exhausted");
  return ports;
}

const more = { calls: 9 };
const resume = (ports: Ports, some: Partial<ResumeTroupeOptions> = {}) =>
  resumeTroupe({ run: "last", ports, limits: more, ...some }).result;
const stateOf = ({ store }: Ports) => foldLog(store.events(store.resolve("last")));

function texts({ store }: Ports): string[] {
  return stateOf({ store } as Ports).rows.map(({ output }) => {
    const artifact = output && store.get(output);
    return artifact?.kind === "text" ? artifact.text : "";
  });
}

describe("resumeTroupe() of a run whose file", () => {
  it("is as it was goes on, and so does one whose file is gone, or differs in words alone", async () => {
    for (const change of [() => undefined, () => rmSync(file()), () => write({ description: "other" }, { description: "other" })]) {
      write({}, {});
      const ports = await begun();
      change();
      expect((await resume(ports)).outcome.kind).toBe("completed");
      expect(texts(ports)).toEqual(Array.from({ length: 3 }, () => "old at 0.2 as default"));
    }
  });

  it("has changed is refused with the differences and both flags", async () => {
    const ports = await begun();
    const before = stateOf(ports).lastAt;
    write({ limits: { calls: 7, parallel: 2 } }, { instructions: "new" });
    await expect(resume(ports)).rejects.toMatchObject({
      code: "topology_changed",
      exit: 2,
      message: expect.stringMatching(/limits: calls 1 → 7; agent worker: instructions old → new\. .*--keep.*--accept-changes/),
    });
    expect(stateOf(ports)).toMatchObject({ sessions: 1, lastAt: before });
  });

  it("has changed goes on as it began with keep, and says so", async () => {
    const ports = await begun();
    write({}, { instructions: "new" });
    const told: string[] = [];
    expect((await resume(ports, { ifChanged: "keep", onProgress: (message) => told.push(message) })).outcome.kind).toBe("completed");
    expect(texts(ports).at(-1)).toBe("old at 0.2 as default");
    expect(told).toEqual([expect.stringContaining("it goes on as it began")]);
  });

  it("has changed is taken over with accept: what is done stays, and a replay and later resumes know of it", async () => {
    const ports = await begun();
    write(
      { defaults: { actor: "actor.yaml", temperature: 0.7 }, limits: { calls: 2, parallel: 3 } },
      { instructions: "new", model: "big" },
    );
    const told: string[] = [];
    const accepted = await resume(ports, { ifChanged: "accept", limits: {}, onProgress: (message) => told.push(message) });
    expect(accepted.outcome).toMatchObject({ kind: "exhausted", allowed: 2 });
    expect(told).toEqual([expect.stringMatching(/^Taken over from .*chain\.yaml: .*limits: calls 1 → 2/)]);
    expect(stateOf(ports).limits).toEqual({ attempts: 2, calls: 2, parallel: 3 });
    // What was taken over is what the file says: nothing has changed any more.
    expect((await resume(ports)).outcome.kind).toBe("completed");
    // The second had begun, at its temperature of then; the card is the new one.
    expect(texts(ports)).toEqual(["old at 0.2 as default", "new at 0.2 as big", "new at 0.7 as big"]);
    const differing: unknown[] = [];
    for await (const part of replayTroupe({ run: "last", ports })) if (!part.same) differing.push(part);
    expect(differing).toEqual([]);
  });

  it("has other limits leaves those that were given by hand", async () => {
    const ports = await begun({ calls: 1, tokens: 5000 });
    write({ limits: { calls: 9, tokens: 100 } }, {});
    await resume(ports, { ifChanged: "accept", limits: {} });
    expect(stateOf(ports).limits).toEqual({ attempts: 2, calls: 9, tokens: 5000 });
  });

  it("describes another graph is refused by name, also with accept, and goes on with keep", async () => {
    const ports = await begun();
    write({ shape: { kind: "chain", size: 4 } }, {});
    await expect(resume(ports)).rejects.toThrow(/node 4 is new; edge 3→4 is new\. Go on as it began with --keep; another graph/);
    await expect(resume(ports, { ifChanged: "accept" })).rejects.toThrow(/another graph now, which can't be taken over: node 4 is new/);
    expect((await resume(ports, { ifChanged: "keep" })).outcome.kind).toBe("completed");
  });

  it("is broken is refused with its problems, and goes on with keep", async () => {
    const ports = await begun();
    writeFileSync(file(), "troupe: 1\nnam: x\n");
    await expect(resume(ports)).rejects.toMatchObject({ code: "topology_changed", message: expect.stringMatching(/--keep[\s\S]*nam/) });
    await expect(resume(ports, { ifChanged: "accept" })).rejects.toMatchObject({ code: "file_invalid" });
    expect((await resume(ports, { ifChanged: "keep" })).outcome.kind).toBe("completed");
  });

  it("asks for a model that is not declared is refused with accept", async () => {
    const ports = { ...(await begun()), modelNames: ["default"] };
    write({}, { model: "big" });
    await expect(resume(ports, { ifChanged: "accept" })).rejects.toMatchObject({ code: "model_unknown" });
  });
});

describe("resumeTroupe() of a run with critics", () => {
  const card = (kind: string) => JSON.stringify({ agent: 1, name: kind, kind, instructions: `You are the ${kind}.` });
  const reviewed = (rounds: object[]) => ({
    ...{ limits: { calls: 2, parallel: 1 }, defaults: { actor: "actor.yaml", critic: "critic.yaml", rounds: 2, temperature: 0.2 } },
    edges: rounds,
  });

  async function begunWithCritics(): Promise<Ports> {
    writeFileSync(join(folder, "critic.yaml"), card("critic"));
    write(reviewed([]), {});
    const models = createScriptedModel((request, call) =>
      request.messages[0]?.content.includes("critic") ? `REVISE: ${call}` : `${call}`,
    );
    const ports = { ...newPorts(), models };
    await runTroupe({ topology: file(), task: { prompt: "x", output: "text" }, ports, seed: 1, limits: { calls: 4 } }).result;
    return ports;
  }

  it("takes over other rounds of an edge that has not begun", async () => {
    const ports = await begunWithCritics();
    write(reviewed([{ from: 2, to: 3, rounds: 1 }]), {});
    expect((await resume(ports, { ifChanged: "accept", limits: { calls: 99 } })).outcome.kind).toBe("completed");
    const labels = stateOf(ports).rows.map(({ activation }) => activation.label);
    expect(labels.filter((label) => label.startsWith("1→2 critique"))).toHaveLength(2);
    expect(labels.filter((label) => label.startsWith("2→3 critique"))).toHaveLength(1);
  });

  it("refuses other rounds of an edge that has gone past them", async () => {
    const ports = await begunWithCritics();
    write(reviewed([{ from: 1, to: 2, rounds: 1 }]), {});
    await expect(resume(ports, { ifChanged: "accept", limits: { calls: 99 } })).rejects.toMatchObject({
      code: "topology_changed",
      message: expect.stringMatching(/has already gone another way.*develop.*instead of.*critique 2/),
    });
  });
});

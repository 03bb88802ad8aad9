import { createMemoryStore } from "@troupe/engine";
import { createScriptedModel, type ModelScript } from "@troupe/models";
import {
  type Artifact,
  type ChatRequest,
  type EventBody,
  projectFile,
  type RunEvent,
  type Sandbox,
  topologyBundle,
  TroupeError,
} from "@troupe/schema";
import { describe, expect, it } from "vitest";
import type { Ports } from "./ports.ts";
import { replayTroupe } from "./replay-troupe.ts";
import { resumeTroupe, runTroupe } from "./run-troupe.ts";

const topology = new URL("../../../topologies/review-chain.yaml", import.meta.url).pathname;

/** A sandbox in which everything ends well. */
const sandbox: Sandbox = {
  name: "fake",
  strength: "none",
  run: async ({ files }) => ({
    ended: "exited",
    exitCode: 0,
    stdout: "",
    stderr: "",
    truncated: false,
    seconds: 0,
    files,
    sandbox: "fake",
  }),
};

function portsWith(script: ModelScript): Ports & { model: ReturnType<typeof createScriptedModel> } {
  const model = createScriptedModel(script);
  const project = { root: process.cwd(), path: undefined, file: projectFile.parse({}) };
  return { project, models: model, model, modelNames: undefined, sandbox, store: createMemoryStore(), close: async () => undefined };
}

const program = (version: number): string => `main.py\n\`\`\`python\nversion = ${version}\nprint("hello", version)\n\`\`\`\n`;
const isCritic = (request: ChatRequest): boolean => request.messages.some((message) => message.content.includes("REVISE:"));

/** Actors write version after version; critics always want more. */
function reviseAlways(): ModelScript {
  let version = 0;
  return (request) => (isCritic(request) ? "REVISE: raise the version" : program(++version));
}

function versionOf(artifact: Artifact | undefined): string | undefined {
  return artifact?.kind === "files"
    ? /version = (\d+)/.exec(artifact.files.find(({ path }) => path === "main.py")?.content ?? "")?.[1]
    : undefined;
}

async function watch(run: AsyncIterable<{ kind: string }>): Promise<RunEvent[]> {
  const events: RunEvent[] = [];
  for await (const event of run) if (event.kind !== "call.delta") events.push(event as RunEvent);
  return events;
}

describe("runTroupe()", () => {
  it("takes a task through actors on nodes and critics on edges to a product", async () => {
    const ports = portsWith(reviseAlways());
    const run = runTroupe({ topology, task: "Say hello", ports, seed: 1 });
    const events = await watch(run);
    const { outcome, artifact, usage } = await run.result;
    expect(outcome.kind).toBe("completed");
    expect(versionOf(artifact)).toBe("5");
    expect(usage.calls).toBe(7);
    expect(events[0]?.kind).toBe("run.started");
    expect(events.filter(({ kind }) => kind === "run.ended")).toHaveLength(1);
    expect(events.at(-1)?.kind).toBe("run.ended");
  });

  it("lets only the artifact cross an edge: what a target reads does not hold what was said before", async () => {
    const ports = portsWith(reviseAlways());
    await runTroupe({ topology, task: "Say hello", ports, seed: 1 }).result;
    const last =
      ports.model.requests
        .at(-1)
        ?.messages.map(({ content }) => content)
        .join("\n") ?? "";
    expect(last).toContain("version = 4");
    expect(last).not.toContain("version = 3");
  });

  it("goes on from an earlier product", async () => {
    const ports = portsWith(reviseAlways());
    const first = await runTroupe({ topology, task: "Say hello", ports }).result;
    await runTroupe({ topology, task: "Say goodbye", from: "last", ports }).result;
    const asked = ports.model.requests[first.usage.calls]?.messages.at(-1)?.content;
    expect(asked).toContain("version = 5");
    expect(asked).toContain("Say goodbye");
  });

  it("ends as exhausted with the best artifact, and can be gone on with", async () => {
    const ports = portsWith(reviseAlways());
    const ended = await runTroupe({ topology, task: "Say hello", ports, limits: { calls: 4 } }).result;
    expect(ended.outcome).toMatchObject({ kind: "exhausted", limit: "calls", allowed: 4 });
    expect(versionOf(ended.artifact)).toBe("3");
    const resumed = await resumeTroupe({ run: ended.run, ports, limits: { calls: 100 } }).result;
    expect(resumed.outcome.kind).toBe("completed");
    expect(ports.model.requests).toHaveLength(7);
  });

  it("ends as cancelled by the signal, and can be gone on with", async () => {
    const controller = new AbortController();
    const ports = portsWith((request, call) => {
      if (call === 3) controller.abort(new Error("interrupted"));
      return isCritic(request) ? "ACCEPT" : program(call);
    });
    const ended = await runTroupe({ topology, task: "Say hello", ports }, { signal: controller.signal }).result;
    expect(ended.outcome.kind).toBe("cancelled");
    const resumed = await resumeTroupe({ run: "last", ports }).result;
    expect(resumed.outcome.kind).toBe("completed");
  });

  it("rejects with all problems of a bad topology before anything is spent", async () => {
    const ports = portsWith([]);
    const bundle = { file: { troupe: 1, name: "x", edges: ["a -> b -> a"] }, cards: {} } as never;
    await expect(runTroupe({ topology: bundle, task: "Say hello", ports }).result).rejects.toMatchObject({ code: "file_invalid" });
    expect(ports.model.requests).toHaveLength(0);
  });

  it("rejects with model_unknown when a card names a model that is not declared", async () => {
    const ports = { ...portsWith([]), modelNames: ["other"] };
    await expect(runTroupe({ topology, task: "Say hello", ports }).result).rejects.toMatchObject({
      code: "model_unknown",
      message: expect.stringMatching(/agents\/programmer\.yaml:\d+:\d+: error: no model is declared as "default"\n.*\d \| .*\n/),
    });
  });

  it("asks only for models that agents will use: one that the topology overrides need not be declared", async () => {
    const ports = { ...portsWith(reviseAlways()), modelNames: ["big"] };
    const card = (kind: "actor" | "aggregator") => ({ agent: 1, name: kind, kind, model: "elsewhere", instructions: "Work." });
    const bundle = (model: string) => ({
      file: { troupe: 1, name: "x", shape: { kind: "star", size: 3 }, defaults: { actor: "a", aggregator: "m", model } },
      cards: { a: card("actor"), m: card("aggregator") },
    });
    const run = (model: string) => runTroupe({ topology: topologyBundle.parse(bundle(model)), task: "Say hello", ports }).result;
    expect((await run("big")).outcome.kind).toBe("completed");
    await expect(run("small")).rejects.toThrowError(/no model is declared as "small"/);
  });

  it("resumes only when every model is declared, and says which is not", async () => {
    const ports = portsWith(reviseAlways());
    const { run } = await runTroupe({ topology, task: "Say hello", ports, limits: { calls: 1 } }).result;
    const resumed = resumeTroupe({ run, ports: { ...ports, modelNames: ["other"] } });
    await expect(resumed.result).rejects.toMatchObject({ code: "model_unknown", message: expect.stringContaining('as "default"') });
  });

  it("refuses to go on with, or to replay, what a newer version has worked on, and writes nothing", async () => {
    const ports = portsWith(reviseAlways());
    const { run } = await runTroupe({ topology, task: "Say hello", ports, limits: { calls: 1 } }).result;
    const { store } = ports;
    for (const at of ["run.started", "run.resumed"]) {
      const older = createMemoryStore();
      const sessions = [...store.events(run), { kind: "run.resumed" as const, limits: {}, redo: [], seq: 0, at: 0 }];
      for (const { seq: _seq, at: time, ...body } of sessions)
        older.append(run, [(body.kind === at ? { ...body, version: "9.1.0" } : body) as EventBody], time);
      const before = older.events(run);
      const own = { ...ports, store: { ...older, get: store.get } };
      const newer = { code: "store_newer", message: expect.stringMatching(/Troupe 9\.1\.0.*Update Troupe/) };
      await expect(resumeTroupe({ run, ports: own }).result).rejects.toMatchObject(newer);
      if (at === "run.started") await expect(replayTroupe({ run, ports: own }).next()).rejects.toMatchObject(newer);
      expect(older.events(run)).toEqual(before);
    }
  });

  it("fails with the model's error when it does not pass, and says who", async () => {
    const ports = portsWith(() => new TroupeError("model_unauthorized", "The key is wrong."));
    const { outcome } = await runTroupe({ topology, task: "Say hello", ports }).result;
    expect(outcome).toMatchObject({
      kind: "failed",
      error: { code: "model_unauthorized", message: expect.stringContaining("programmer") },
    });
  });

  it("never shows an agent the hidden tests", async () => {
    const ports = portsWith(reviseAlways());
    const grader = {
      kind: "tests" as const,
      files: [{ path: "t.py", encoding: "utf8" as const, content: "SECRET" }],
      command: { program: "python" as const, args: ["t.py"] },
      seconds: 5,
    };
    await runTroupe({ topology, task: { prompt: "Say hello", grader }, ports }).result;
    expect(JSON.stringify(ports.model.requests)).not.toContain("SECRET");
    expect(JSON.stringify(ports.store.events(ports.store.resolve("last")))).not.toContain("SECRET");
  });
});

import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { run } from "@stricli/core";
import { createMemoryStore } from "@troupe/engine";
import { createScriptedModel, type ModelScript, type ScriptedModelOptions } from "@troupe/models";
import type { Ports } from "@troupe/runtime";
import { type RunStore, projectFile, type Sandbox, type SandboxJob, type SandboxResult } from "@troupe/schema";
import { app } from "../src/app.ts";
import { exitCodeOfParser } from "../src/exit-code.ts";
import { type FakeContext, fakeContext } from "./fake-context.ts";

/** The repository's root. */
const root = resolve(import.meta.dirname, "../../..");

/** A topology that is run as an example. */
export const exampleTopology = (name: string): string => join(root, "topologies", `${name}.yaml`);

/** A model's answer with one file. */
export function fileAnswer(content: string, path = "main.py"): string {
  return `${path}\n\`\`\`python\n${content}\n\`\`\`\n`;
}

/** What a fake world is made of. */
export interface FakeWorldOptions extends ScriptedModelOptions {
  readonly script: ModelScript;
  readonly sandbox?: (job: SandboxJob) => Partial<SandboxResult>;
  readonly strength?: Sandbox["strength"];
  /** Default: an empty one in memory. */
  readonly store?: RunStore;
}

/** A world of scripted parts that stays open over several calls of the command. */
export interface FakeWorld {
  readonly store: RunStore;
  /** The working folder of its calls. */
  readonly folder: string;
  /** Calls the command, and says how that ended. */
  call(words: readonly string[], context?: Partial<FakeContext>): Promise<{ exit: number; stdout: string; stderr: string }>;
  /** A context of this world, to be changed before a call. */
  context(options?: { terminal?: boolean; env?: Record<string, string> }): FakeContext;
  remove(): void;
}

/** Makes a world with a scripted model, a store in memory and a sandbox that runs nothing. */
export function fakeWorld({
  script,
  sandbox = () => ({}),
  strength = "os",
  store = createMemoryStore(),
  ...model
}: FakeWorldOptions): FakeWorld {
  const folder = mkdtempSync(join(tmpdir(), "troupe-command-"));
  const ports: Ports = {
    project: { root: folder, path: undefined, file: projectFile.parse({}) },
    models: createScriptedModel(script, model),
    modelNames: ["default"],
    sandbox: { name: "fake", strength, run: (job) => Promise.resolve({ ...wellEnded(job), ...sandbox(job) }) },
    store,
    close: () => Promise.resolve(),
  };
  const runs = { ...store, close: () => undefined };
  const open = {
    ports: () => Promise.resolve(ports),
    runs: () => Promise.resolve(runs),
    models: () => Promise.resolve(ports.models),
  };
  const context: FakeWorld["context"] = (options) => ({ ...fakeContext({ ...options, cwd: folder }), open });
  return {
    store,
    folder,
    context,
    call: async (words, own) => {
      const used: FakeContext = { ...context(), ...own };
      await run(app, words, used);
      const exit = used.exit ?? exitCodeOfParser(used.process.exitCode);
      return { exit, stdout: used.process.stdout.text(), stderr: used.process.stderr.text() };
    },
    remove: () => rmSync(folder, { recursive: true, force: true }),
  };
}

function wellEnded({ files }: SandboxJob): SandboxResult {
  const ended = { ended: "exited", exitCode: 0, stdout: "", stderr: "", truncated: false } as const;
  return { ...ended, seconds: 0.1, files, sandbox: "fake" };
}

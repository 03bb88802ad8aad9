import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { createModelClient } from "../model-client.ts";
import { checkMemory } from "./available-memory.ts";
import type { EmbeddedServer } from "./embedded-server.ts";
import { serveModel } from "./serve-model.ts";
import { type StartEmbeddedOptions, startEmbedded } from "./start-embedded.ts";
import { readState } from "./state-file.ts";
import { stopEmbedded } from "./stop-embedded.ts";

const program = new URL("../../test/fake-server.mjs", import.meta.url);
const never = new AbortController().signal;

let dir = "";
let file = "";
beforeEach(() => {
  dir = mkdtempSync(join(tmpdir(), "troupe-embedded-"));
  file = join(dir, "model.gguf");
  writeFileSync(file, "weights");
});
afterEach(async () => {
  await stopEmbedded(dir);
  rmSync(dir, { recursive: true, force: true });
});

function start(options: Partial<StartEmbeddedOptions> = {}): Promise<EmbeddedServer> {
  return startEmbedded({ file, model: "m", dataDir: dir, signal: never, program, env: process.env, ...options });
}

function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
}

const stateFiles = () => readdirSync(join(dir, "embedded")).filter((name) => name.endsWith(".json"));

describe("startEmbedded()", () => {
  it("starts one server that everybody with the same wishes shares", async () => {
    const all = await Promise.all([start(), start(), start()]);
    const later = await start();
    expect(new Set([...all, later].map((server) => server.pid)).size).toBe(1);
    expect(stateFiles()).toHaveLength(1);
    const other = await start({ contextTokens: 1024 });
    expect(other.pid).not.toBe(later.pid);
    for (const server of [...all, later, other]) server.release();
  });

  it("keeps the token from other users and the user's keys from the server", async () => {
    const server = await start({ env: { ...process.env, MY_SECRET: "s", UV_THREADPOOL_SIZE: "8" } });
    const state = join(dir, "embedded", stateFiles()[0] ?? "");
    if (process.platform !== "win32") expect(statSync(state).mode & 0o077).toBe(0);
    expect(readState(state)?.token).toBe(server.token);
    const headers = { authorization: `Bearer ${server.token}`, "content-type": "application/json" };
    const body = JSON.stringify({ model: "m", messages: [{ role: "user", content: "x" }] });
    const response = await fetch(`${server.url}/chat/completions`, { method: "POST", headers, body });
    const answer = (await response.json()) as { choices: { message: { content: string } }[] };
    expect(answer.choices[0]?.message.content).toBe(`${server.pid} 1 no secret`);
    server.release();
  });

  it("replaces a server that was killed", async () => {
    const first = await start();
    process.kill(first.pid, "SIGKILL");
    await expect.poll(() => isAlive(first.pid)).toBe(false);
    const second = await start();
    expect(second.pid).not.toBe(first.pid);
    first.release();
    second.release();
  });

  it("is not misled by a damaged or foreign state file", async () => {
    const first = await start();
    const state = join(dir, "embedded", stateFiles()[0] ?? "");
    await first.stop();
    writeFileSync(state, "{");
    const second = await start();
    const foreign = { ...JSON.parse(readFileSync(state, "utf8")), pid: process.pid };
    await second.stop();
    writeFileSync(state, JSON.stringify(foreign));
    const third = await start();
    expect(new Set([first.pid, second.pid, third.pid]).size).toBe(3);
    third.release();
  });

  it("lets the server end when nobody uses it, and not before", async () => {
    const server = await start({ idleSeconds: 1.5 });
    await new Promise((resolve) => setTimeout(resolve, 2500));
    expect(isAlive(server.pid)).toBe(true);
    server.release();
    await expect.poll(() => isAlive(server.pid), { timeout: 10_000 }).toBe(false);
    expect(stateFiles()).toEqual([]);
  });

  it.each(["model file", "state file"])("ends when its %s is gone", async (what) => {
    const server = await start();
    rmSync(what === "model file" ? file : join(dir, "embedded", stateFiles()[0] ?? ""));
    await expect.poll(() => isAlive(server.pid), { timeout: 10_000 }).toBe(false);
    server.release();
  });

  it("says why a model can't be loaded", async () => {
    await expect(start({ model: "broken" })).rejects.toMatchObject({
      code: "model_unavailable",
      message: expect.stringContaining("error: invalid magic in the model file"),
    });
    await expect(start({ model: "crash" })).rejects.toThrow(/SIGSEGV/);
    expect(stateFiles()).toEqual([]);
  });

  it("leaves no process behind when aborted while loading", async () => {
    const controller = new AbortController();
    const messages: string[] = [];
    const pending = start({ model: "slow", signal: controller.signal, onProgress: (message) => messages.push(message) });
    await expect
      .poll(() => existsSync(join(dir, "embedded")) && readdirSync(join(dir, "embedded")).some((name) => name.endsWith(".log")))
      .toBe(true);
    controller.abort("enough");
    await expect(pending).rejects.toBe("enough");
    expect(messages).toEqual(["loading model slow (7 B)"]);
    expect(readdirSync(join(dir, "embedded")).filter((name) => !name.endsWith(".log"))).toEqual([]);
  });
});

describe("createModelClient() with an embedded model", () => {
  const request = { model: "default", messages: [{ role: "user" as const, content: "x" }], maxTokens: 5 };
  const models = { default: { embedded: "m", timeoutSeconds: 60 } };

  it("starts it when first asked, and again when it has ended in between", async () => {
    const started: number[] = [];
    const startOne = async () => {
      const server = await start();
      started.push(server.pid);
      return server;
    };
    const client = createModelClient({ models, env: {}, startEmbedded: startOne });
    expect(await client.info("default", never)).toEqual({ contextTokens: 8192, tools: "text" });
    const answer = await client.chat(request, { signal: never });
    expect(answer).toMatchObject({ endpoint: "embedded", finish: "stop" });
    process.kill(started[0] ?? 0, "SIGKILL");
    await expect.poll(() => isAlive(started[0] ?? 0)).toBe(false);
    const answers = await Promise.all([client.chat(request, { signal: never }), client.chat(request, { signal: never })]);
    expect(started).toHaveLength(2);
    expect(answers.map(({ text }) => text.split(" ")[0])).toEqual([String(started[1]), String(started[1])]);
    await client.close({ stop: true });
    expect(isAlive(started[1] ?? 0)).toBe(false);
  });

  it("starts it once for calls at the same moment, and tries again after a failure", async () => {
    let starts = 0;
    const startOne = async () => {
      if (++starts === 1) throw new Error("no memory");
      return start();
    };
    const client = createModelClient({ models, env: {}, startEmbedded: startOne });
    await expect(client.chat(request, { signal: never })).rejects.toThrow("no memory");
    await Promise.all([1, 2, 3].map(() => client.chat(request, { signal: never })));
    expect(starts).toBe(2);
    await client.close();
  });
});

describe("serveModel()", () => {
  it("serves until aborted", async () => {
    const controller = new AbortController();
    const served = await serveModel({ file, model: "m", signal: controller.signal, program });
    const list = await (await fetch(`${served.url}/models`)).json();
    expect(list).toMatchObject({ data: [{ id: "m" }] });
    controller.abort();
    await served.ended;
    expect(isAlive(served.pid)).toBe(false);
  });
});

describe("checkMemory()", () => {
  it("refuses a model that is larger than what is left", () => {
    expect(() => checkMemory("x.gguf", 2e9, 1e9)).toThrow(/not enough memory for x.gguf: it needs 2.00 GB and more, 1.00 GB are left/);
    expect(() => checkMemory("x.gguf", 1, 1e9)).not.toThrow();
  });
});

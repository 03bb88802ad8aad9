import { execFileSync } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import {
  createEmbeddedStarter,
  createModelClient,
  defaultModelName,
  type EmbeddedServer,
  type EndpointModelClient,
  modelDir,
  resolveModelFile,
  startEmbedded,
  stopEmbedded,
} from "@troupe/models";
import type { ChatRequest, EmbeddedModel } from "@troupe/schema";
import { afterAll, beforeAll, describe, expect, it } from "vitest";

// A real model: the file that TROUPE_TEST_MODEL names, or the default model of the store.
const never = new AbortController().signal;
const dataDir = mkdtempSync(join(tmpdir(), "troupe-system-"));
const contextTokens = 1024;
let file = "";
let client: EndpointModelClient;

beforeAll(async () => {
  file = await resolveModelFile(process.env["TROUPE_TEST_MODEL"] ?? defaultModelName, {
    dir: modelDir(process.env),
    env: process.env,
    signal: never,
  });
  client = clientOf({});
});

afterAll(async () => {
  await client.close();
  await stopEmbedded(dataDir);
  rmSync(dataDir, { recursive: true, force: true });
});

function clientOf(entry: Partial<EmbeddedModel>, started: EmbeddedServer[] = []): EndpointModelClient {
  const start = createEmbeddedStarter({ dataDir, resolveFile: async () => file });
  return createModelClient({
    models: { default: { embedded: "m", timeoutSeconds: 250, contextTokens, ...entry } },
    env: {},
    startEmbedded: async (model, signal) => {
      const server = await start(model, signal);
      started.push(server);
      return server;
    },
  });
}

function asking(content: string, more: Partial<ChatRequest> = {}): ChatRequest {
  return { model: "default", messages: [{ role: "user", content }], maxTokens: 24, temperature: 0, ...more };
}

async function busy(server: EmbeddedServer): Promise<number> {
  const response = await fetch(server.url.replace("/v1", "/health"), { headers: { authorization: `Bearer ${server.token}` } });
  return ((await response.json()) as { busy: number }).busy;
}

describe("the embedded model", () => {
  // With four pool threads in place of one, this test finds words of one answer in another.
  it("does not mix the answers of parallel requests", async () => {
    const words = ["violin", "volcano", "lantern", "pepper", "glacier", "saddle", "mirror", "anchor"];
    const ask = async (word: string) => {
      const list = Array(12).fill(word).join(" ");
      const { text } = await client.chat(asking(`Say these words again and again: ${list}`, { maxTokens: 32 }), { signal: never });
      return text.toLowerCase();
    };
    const single: string[] = [];
    for (const word of words) single.push(await ask(word));
    const parallel = await Promise.all(words.map(ask));
    const foreign = parallel.flatMap((answer, own) => words.filter((word, other) => other !== own && answer.includes(word)));
    expect(foreign).toEqual([]);
    // A batch is computed by other kernels than a single sequence, so that answers may part after a while, but not from the start.
    const alike = parallel.filter((answer, own) => answer.slice(0, 24) === single[own]?.slice(0, 24));
    expect(alike.length).toBeGreaterThanOrEqual(6);
  });

  it("counts tokens, and ends at the limit and at a stop text", async () => {
    const counting = "Count: one two three four five six seven. Write it again, with all the words.";
    const cut = await client.chat(asking(counting, { maxTokens: 5 }), { signal: never });
    expect(cut).toMatchObject({ finish: "length", endpoint: "embedded", usage: { outputTokens: 5, estimated: false } });
    expect(cut.usage.inputTokens).toBeGreaterThan(15);
    const whole = await client.chat(asking(counting), { signal: never });
    const stop = whole.text.trim().split(/\s+/)[2] ?? "";
    const stopped = await client.chat(asking(counting, { stop: [stop] }), { signal: never });
    expect(stopped.finish).toBe("stop");
    expect(stopped.text).not.toContain(stop);
    expect(whole.text.startsWith(stopped.text.trimEnd())).toBe(true);
  });

  it("repeats a warm answer with the same seed, and varies it with another", async () => {
    const warm = (seed: number) => client.chat(asking("Tell a story about a boat.", { temperature: 1, seed }), { signal: never });
    const [first, second] = [await warm(1), await warm(1)];
    const others = [await warm(2), await warm(3)];
    expect(second.text).toBe(first.text);
    expect(others.some(({ text }) => text !== first.text)).toBe(true);
  });

  it("writes JSON of a schema, and refuses a schema that it can't keep to", async () => {
    const responseSchema = {
      type: "object",
      properties: { verdict: { enum: ["accept", "revise"] }, score: { type: "integer", minimum: 0 } },
      required: ["verdict", "score"],
      additionalProperties: false,
    };
    const { text } = await client.chat(asking("Is the sky blue? Answer in JSON.", { responseSchema, maxTokens: 60 }), { signal: never });
    const answer = JSON.parse(text);
    expect(["accept", "revise"]).toContain(answer.verdict);
    expect(Number.isInteger(answer.score)).toBe(true);
    await expect(client.chat(asking("x", { responseSchema: { not: {} } }), { signal: never })).rejects.toMatchObject({
      code: "model_refused",
    });
  });

  it("refuses a prompt that is too long, and goes on", async () => {
    const long = client.chat(asking("many words ".repeat(2000)), { signal: never });
    await expect(long).rejects.toMatchObject({ code: "model_context_overflow", message: expect.stringContaining("1024") });
    expect((await client.chat(asking("Say hello."), { signal: never })).text).not.toBe("");
  });

  it("frees the sequence of an aborted request at once, also while it reads a prompt", async () => {
    const started: EmbeddedServer[] = [];
    const single = clientOf({ parallel: 1 }, started);
    const abortWhen = async (prompt: string, isTime: (abort: () => void) => Promise<void> | void) => {
      const controller = new AbortController();
      const abort = () => controller.abort("enough");
      const aborted = single.chat(asking(prompt, { maxTokens: 1000 }), { signal: controller.signal, onDelta: abort });
      const ended = expect(aborted).rejects.toBe("enough");
      await isTime(abort);
      await ended;
      await expect.poll(() => busy(started[0] as EmbeddedServer), { timeout: 30_000 }).toBe(0);
    };
    await abortWhen("Tell a very long story.", () => undefined);
    await abortWhen("word ".repeat(900), async (abort) => {
      await expect.poll(() => busy(started[0] as EmbeddedServer), { interval: 20, timeout: 30_000 }).toBe(1);
      abort();
    });
    expect((await single.chat(asking("Say hello.", { maxTokens: 4 }), { signal: never })).usage.outputTokens).toBeGreaterThan(0);
    await single.close({ stop: true });
  });

  it("is shared by two clients and by another process", async () => {
    const started: EmbeddedServer[] = [];
    const [one, two] = [clientOf({}, started), clientOf({}, started)];
    await Promise.all([one.info("default", never), two.info("default", never)]);
    const module = new URL("../../packages/models/dist/index.js", import.meta.url).href;
    const options = JSON.stringify({ file, model: "m", contextTokens, dataDir });
    const script = `const { startEmbedded } = await import("${module}");
      const server = await startEmbedded({ ...${options}, signal: new AbortController().signal });
      console.log(server.pid);`;
    const pid = Number(execFileSync(process.execPath, ["--input-type=module", "-e", script], { encoding: "utf8" }));
    expect(started.map((server) => server.pid)).toEqual([pid, pid]);
    await Promise.all([one.close(), two.close()]);
  });

  it("ends when nobody uses it any more", async () => {
    const server = await startEmbedded({ file, model: "m", contextTokens: 512, parallel: 1, dataDir, signal: never, idleSeconds: 2 });
    server.release();
    const isAlive = () => {
      try {
        return process.kill(server.pid, 0);
      } catch {
        return false;
      }
    };
    expect(isAlive()).toBe(true);
    await expect.poll(isAlive, { timeout: 30_000, interval: 200 }).toBe(false);
  });
});

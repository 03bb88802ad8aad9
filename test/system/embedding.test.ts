import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import {
  createEmbeddedStarter,
  createModelClient,
  defaultEmbeddingName,
  type EndpointModelClient,
  modelDir,
  pullModel,
  stopEmbedded,
} from "@troupe/models";
import { afterAll, beforeAll, describe, expect, it } from "vitest";

// The real embedding model: 46 MB, made of the weights that its makers publish.
const signal = new AbortController().signal;
const dataDir = mkdtempSync(join(tmpdir(), "troupe-embedding-"));
let client: EndpointModelClient;

beforeAll(async () => {
  const { path } = await pullModel(defaultEmbeddingName, { dir: modelDir(process.env), env: process.env, signal });
  const startEmbedded = createEmbeddedStarter({ dataDir, resolveFile: async () => path });
  client = createModelClient({ models: { embedding: { embedded: "m", timeoutSeconds: 120 } }, env: {}, startEmbedded });
}, 300_000);

afterAll(async () => {
  await client.close();
  await stopEmbedded(dataDir);
  rmSync(dataDir, { recursive: true, force: true });
});

async function vectorsOf(texts: readonly string[]): Promise<readonly Float32Array[]> {
  return (await client.embed({ model: "embedding", texts }, { signal: new AbortController().signal })).vectors;
}

function cosine(a: Float32Array | undefined, b: Float32Array | undefined): number {
  return (a ?? new Float32Array()).reduce((sum, x, i) => sum + x * (b?.[i] ?? Number.NaN), 0);
}

describe("the embedded embedding model", () => {
  it("compares texts as the original does", async () => {
    const [parse, convert, sort] = await vectorsOf([
      "parse a date from a string",
      "convert text into a calendar date",
      "sort a list of numbers",
    ]);
    expect(parse).toHaveLength(384);
    // 0.6419 and 0.1436 with the makers' own program, in 32 bits.
    expect(cosine(parse, convert)).toBeCloseTo(0.642, 2);
    expect(cosine(parse, sort)).toBeCloseTo(0.1435, 2);
  });

  it("gives the same vectors to parallel requests", async () => {
    const texts = Array.from({ length: 12 }, (_, i) => `write a function number ${i} that ${i % 2 ? "sorts" : "adds"} things`);
    const [together, ...single] = await Promise.all([vectorsOf(texts), ...texts.map((text) => vectorsOf([text]))]);
    for (const [i, vectors] of single.entries()) expect(cosine(vectors[0], together[i])).toBeGreaterThan(0.9999);
  });

  it("takes a text of 511 tokens and refuses a longer one, and answers no chat", async () => {
    expect(await client.info("embedding", signal)).toMatchObject({ contextTokens: 512 });
    expect(await vectorsOf(["x ".repeat(509)])).toHaveLength(1);
    await expect(vectorsOf(["short", "x ".repeat(510)])).rejects.toMatchObject({ code: "model_context_overflow" });
    const request = { model: "embedding", maxTokens: 5, messages: [{ role: "user" as const, content: "hi" }] };
    await expect(client.chat(request, { signal })).rejects.toMatchObject({ code: "model_refused" });
  });
});

import { type ModelEntry, modelEntry } from "@troupe/schema";
import { afterEach, describe, expect, it } from "vitest";
import { type FaultyServer, type Reply, replyJson, startFaultyServer } from "../test/faulty-server.ts";
import { defaultModels, detectLocalEndpoint } from "./default-models.ts";

const never = new AbortController().signal;
const opened: FaultyServer[] = [];
afterEach(async () => {
  await Promise.all(opened.splice(0).map((server) => server.close()));
});

async function listing(models: Reply): Promise<string> {
  const server = await startFaultyServer(() => undefined, models);
  opened.push(server);
  return server.url;
}

const down = "http://127.0.0.1:1/v1";

describe("detectLocalEndpoint()", () => {
  it("takes the first endpoint that lists a model, in the given order", async () => {
    const slow = await listing((response, request) =>
      setTimeout(() => replyJson(200, { data: [{ id: "first", max_model_len: 4096 }] })(response, request), 50),
    );
    const quick = await listing(replyJson(200, { data: [{ id: "second" }] }));
    expect(await detectLocalEndpoint(never, { endpoints: [down, slow, quick] })).toMatchObject({
      endpoints: [slow],
      model: "first",
      contextTokens: 4096,
      tools: "text",
    });
  });

  it("passes over models that can't chat", async () => {
    const url = await listing(replyJson(200, { data: [{ id: "nomic-embed-text:latest" }, { id: "qwen3:4b" }] }));
    expect((await detectLocalEndpoint(never, { endpoints: [url] }))?.model).toBe("qwen3:4b");
  });

  it.each<[string, Reply]>([
    ["says nothing", () => undefined],
    ["lists nothing", replyJson(200, { data: [] })],
    ["wants a key", replyJson(401, {})],
    ["is a web site", (response) => response.end("<html>")],
    ["never ends", (response) => void response.writeHead(200).write("{")],
  ])("passes over a server that %s", async (_, reply) => {
    expect(await detectLocalEndpoint(never, { endpoints: [await listing(reply)], timeoutMs: 100 })).toBeUndefined();
  });

  it("rejects with the reason when aborted", async () => {
    await expect(detectLocalEndpoint(AbortSignal.abort("enough"), { endpoints: [down] })).rejects.toBe("enough");
  });
});

describe("defaultModels()", () => {
  const embedding: ModelEntry = { embedded: "all-minilm-l6-v2", timeoutSeconds: 600 };
  const embedded: ModelEntry = { embedded: "qwen2.5-coder-1.5b", timeoutSeconds: 600 };

  it("keeps what is declared, without asking any port", async () => {
    const entries = { default: modelEntry.parse({ endpoints: [down], model: "m" }) };
    expect(await defaultModels(entries, { signal: AbortSignal.abort("asked"), env: {} })).toEqual({ ...entries, embedding });
    const own = { ...entries, embedding: modelEntry.parse({ endpoints: [down], model: "bge" }) };
    expect(await defaultModels(own, { signal: AbortSignal.abort("asked"), env: {} })).toEqual(own);
  });

  it("takes a local server, then the embedded model", async () => {
    const url = await listing(replyJson(200, { data: [{ id: "local" }] }));
    const small: ModelEntry = { embedded: "x.gguf", timeoutSeconds: 1 };
    expect(await defaultModels({ small }, { signal: never, env: {}, endpoints: [url] })).toMatchObject({
      small,
      default: { model: "local" },
    });
    expect(await defaultModels({}, { signal: never, env: {}, endpoints: [down] })).toEqual({ default: embedded, embedding });
  });

  it("leaves the ports alone with TROUPE_NO_PROBE=1", async () => {
    const url = await listing(replyJson(200, { data: [{ id: "local" }] }));
    expect(await defaultModels({}, { signal: never, env: { TROUPE_NO_PROBE: "1" }, endpoints: [url] })).toEqual({
      default: embedded,
      embedding,
    });
    expect(opened[0]?.seen).toHaveLength(0);
  });
});

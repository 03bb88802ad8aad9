import { type EndpointModel, endpointModel } from "@troupe/schema";
import { afterEach, describe, expect, it } from "vitest";
import { type FaultyServer, type Reply, replyForEver, replyJson, startFaultyServer } from "../test/faulty-server.ts";
import { createModelClient, type EndpointModelClient } from "./model-client.ts";

const never = new AbortController().signal;
const opened: FaultyServer[] = [];
afterEach(async () => {
  await Promise.all(opened.splice(0).map((server) => server.close()));
});

async function serve(reply: Reply): Promise<FaultyServer> {
  const server = await startFaultyServer(reply);
  opened.push(server);
  return server;
}

function clientOf(urls: string[], entry: Partial<EndpointModel> = {}): EndpointModelClient {
  const model = { ...endpointModel.parse({ endpoints: urls, model: "mini" }), ...entry };
  return createModelClient({ models: { embedding: model }, env: {}, startEmbedded: () => Promise.reject(new Error("not expected")) });
}

async function embed(reply: Reply, texts: readonly string[], entry: Partial<EndpointModel> = {}) {
  const { url } = await serve(reply);
  return clientOf([url], entry).embed({ model: "embedding", texts }, { signal: never });
}

const base64 = (numbers: readonly number[]): string => Buffer.from(Float32Array.from(numbers).buffer).toString("base64");
const rows = (...embeddings: unknown[]): Reply => replyJson(200, { data: embeddings.map((embedding, index) => ({ index, embedding })) });
const plain = (vectors: readonly Float32Array[]): number[][] => vectors.map((vector) => [...vector].map((x) => Number(x.toFixed(5))));

describe("createModelClient() embed", () => {
  it("gives vectors of norm 1 in the order of the texts, with what they cost", async () => {
    const data = [
      { index: 1, embedding: [0, 2] },
      { index: 0, embedding: [3, 4] },
    ];
    const server = await serve(replyJson(200, { data, usage: { prompt_tokens: 9, total_tokens: 9 } }));
    const client = clientOf([server.url], { price: { input: 2, output: 7 }, extraBody: { dimensions: 2 } });
    const { vectors, usage, endpoint } = await client.embed({ model: "embedding", texts: ["a", "b"] }, { signal: never });
    expect(plain(vectors)).toEqual([
      [0.6, 0.8],
      [0, 1],
    ]);
    expect(usage).toMatchObject({ calls: 1, inputTokens: 9, outputTokens: 0, usd: 18e-6, estimated: false });
    expect(endpoint).toBe(server.url);
    expect(server.seen[0]).toMatchObject({
      path: "/v1/embeddings",
      body: { model: "mini", input: ["a", "b"], encoding_format: "float", dimensions: 2 },
    });
  });

  it("reads base64, answers without an index, and answers without usage", async () => {
    const reply = replyJson(200, { data: [{ embedding: base64([3, 4]) }, { embedding: base64([-1, 0]) }] });
    const { vectors, usage } = await embed(reply, ["some text", "more"]);
    expect(plain(vectors)).toEqual([
      [0.6, 0.8],
      [-1, 0],
    ]);
    expect(usage).toMatchObject({ estimated: true, inputTokens: 5 });
  });

  it("sends many texts in batches and none for none", async () => {
    const server = await serve((response, { body }) => {
      const texts = body["input"] as string[];
      replyJson(200, { data: texts.map((text, index) => ({ index, embedding: [Number(text), 1] })) })(response, {} as never);
    });
    const client = clientOf([server.url]);
    const texts = Array.from({ length: 70 }, (_, i) => String(i));
    const { vectors, usage } = await client.embed({ model: "embedding", texts }, { signal: never });
    expect(server.seen.map(({ body }) => (body["input"] as string[]).length)).toEqual([32, 32, 6]);
    expect(usage.calls).toBe(3);
    expect(vectors.map(([x = 0, y = 1]) => Math.round(x / y))).toEqual(texts.map(Number));
    expect(await client.embed({ model: "embedding", texts: [] }, { signal: never })).toMatchObject({ vectors: [], usage: { calls: 0 } });
    expect(server.seen).toHaveLength(3);
  });

  it.each<[string, Reply, string]>([
    [
      "a web page",
      (response) => response.writeHead(200, { "content-type": "text/html" }).end("<html>hi</html>"),
      "not a list of embeddings",
    ],
    [
      "broken JSON",
      (response) => response.writeHead(200, { "content-type": "application/json" }).end('{"data": ['),
      "not a list of embeddings",
    ],
    ["too few", rows([1, 0]), "2 texts were sent, but 1 embeddings came back"],
    ["one place twice", replyJson(200, { data: [0, 0].map((index) => ({ index, embedding: [1] })) }), "index 0 twice or in excess"],
    ["a place beyond", replyJson(200, { data: [0, 2].map((index) => ({ index, embedding: [1] })) }), "index 2 twice or in excess"],
    ["different lengths", rows([1, 0], [1, 0, 0]), "different lengths: 2, 3"],
    ["an empty one", rows([1, 0], []), "the embedding of text 1 is empty"],
    ["zeros", rows([0, 0], [1, 0]), "the embedding of text 0 is zero"],
    ["no numbers", rows([1, 0], [null, 1]), "not a list of embeddings"],
    ["NaN in base64", rows(base64([Number.NaN, 1]), base64([1, 1])), "text 0 is zero, or holds what is no number"],
    ["base64 of something else", rows("AAAAA=", [1, 0]), "not the base64 of 32-bit numbers"],
    ["text for base64", rows("[1, 2, 3]", [1, 0]), "not the base64 of 32-bit numbers"],
  ])("calls %s garbage, and says why", async (_, reply, why) => {
    await expect(embed(reply, ["a", "b"])).rejects.toMatchObject({ code: "model_garbage", message: expect.stringContaining(why) });
  });

  it("refuses an answer without an end", async () => {
    const endless = replyForEver("x".repeat(65_536));
    await expect(embed(endless.reply, ["a"])).rejects.toMatchObject({ code: "model_garbage" });
    expect(endless.sent()).toBeLessThan(32 * 1024 * 1024);
  });

  it.each([
    [404, "no such model", "model_not_found"],
    [400, "input is too long: maximum context length is 512", "model_context_overflow"],
    [429, "slow down", "model_rate_limited"],
    [500, "died", "model_failed"],
  ])("maps HTTP %i (%s) to %s as chat does", async (status, message, code) => {
    await expect(embed(replyJson(status, { error: { message } }), ["a"])).rejects.toMatchObject({ code });
  });

  it("gives a silent server up, and tries the next endpoint when one is down", async () => {
    await expect(embed(() => undefined, ["a"], { timeoutSeconds: 0.1 })).rejects.toMatchObject({ code: "model_timeout" });
    const { url } = await serve(rows([1, 0]));
    const answer = await clientOf(["http://127.0.0.1:1/v1", url]).embed({ model: "embedding", texts: ["a"] }, { signal: never });
    expect(answer.endpoint).toBe(url);
  });

  it("closes the connection when aborted and rejects with the reason", async () => {
    const server = await serve(() => undefined);
    const controller = new AbortController();
    const pending = clientOf([server.url]).embed({ model: "embedding", texts: ["a"] }, { signal: controller.signal });
    setTimeout(() => controller.abort("enough"), 50);
    await expect(pending).rejects.toBe("enough");
    await server.hungUp;
  });
});

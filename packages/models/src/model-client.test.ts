import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { type ChatRequest, type EndpointModel, endpointModel, type ModelClient } from "@troupe/schema";
import { afterEach, describe, expect, it, vi } from "vitest";
import {
  delta,
  type FaultyServer,
  finish,
  type Reply,
  replyForEver,
  replyJson,
  replyStream,
  startFaultyServer,
  usageChunk,
} from "../test/faulty-server.ts";
import { createModelClient, type ModelClientOptions } from "./model-client.ts";

const request: ChatRequest = { model: "default", messages: [{ role: "user", content: "Say hello, please." }], maxTokens: 16 };
const never = new AbortController().signal;
const hello = replyStream([delta("Hel"), delta("lo"), finish(), usageChunk(12, 3)]);

const opened: FaultyServer[] = [];
afterEach(async () => {
  await Promise.all(opened.splice(0).map((server) => server.close()));
});

async function serve(chat: Reply, models?: Reply): Promise<FaultyServer> {
  const server = await startFaultyServer(chat, models);
  opened.push(server);
  return server;
}

function clientOf(urls: string[], entry: Partial<EndpointModel> = {}, options: Partial<ModelClientOptions> = {}): ModelClient {
  const model = { ...endpointModel.parse({ endpoints: urls, model: "coder" }), ...entry };
  const startEmbedded = () => Promise.reject(new Error("not expected"));
  return createModelClient({ models: { default: model }, startEmbedded, env: {}, ...options });
}

async function ask(chat: Reply, entry: Partial<EndpointModel> = {}, more: Partial<ChatRequest> = {}) {
  const server = await serve(chat);
  return clientOf([server.url], entry).chat({ ...request, ...more }, { signal: never });
}

async function unusedUrl(): Promise<string> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  await new Promise((resolve) => server.close(resolve));
  return `http://127.0.0.1:${port}/v1`;
}

describe("createModelClient() answers", () => {
  it("streams, counts and prices an answer", async () => {
    const server = await serve(hello);
    const pieces: string[] = [];
    const client = clientOf([server.url], { price: { input: 1, output: 2 } });
    const answer = await client.chat(request, { signal: never, onDelta: (piece) => pieces.push(piece) });
    expect(answer).toMatchObject({ text: "Hello", toolCalls: [], finish: "stop", endpoint: server.url });
    expect(answer.usage).toMatchObject({ calls: 1, inputTokens: 12, outputTokens: 3, estimated: false });
    expect(answer.usage.usd).toBeCloseTo(18e-6, 12);
    expect(pieces).toEqual(["Hel", "lo"]);
  });

  it("sends what was asked, and the extra fields", async () => {
    const server = await serve(hello);
    const client = clientOf([server.url], { extraBody: { chat_template_kwargs: { enable_thinking: false } } });
    await client.chat(
      { ...request, temperature: 0, topP: 0.9, seed: 7, stop: ["END"], responseSchema: { type: "object" } },
      { signal: never },
    );
    expect(server.seen[0]?.body).toEqual({
      model: "coder",
      messages: [{ role: "user", content: "Say hello, please." }],
      stream: true,
      stream_options: { include_usage: true },
      max_tokens: 16,
      temperature: 0,
      top_p: 0.9,
      seed: 7,
      stop: ["END"],
      response_format: { type: "json_schema", json_schema: { name: "answer", schema: { type: "object" }, strict: true } },
      chat_template_kwargs: { enable_thinking: false },
    });
  });

  it("sends the key that apiKeyEnv names, and none otherwise, also when the environment has keys", async () => {
    vi.stubEnv("OPENAI_API_KEY", "from-the-environment");
    vi.stubEnv("OPENAI_ADMIN_KEY", "from-the-environment");
    const server = await serve(hello);
    await clientOf([server.url]).chat(request, { signal: never });
    await clientOf([server.url], { apiKeyEnv: "MY_KEY" }, { env: { MY_KEY: "k-1" } }).chat(request, { signal: never });
    vi.unstubAllEnvs();
    expect(server.seen.map(({ authorization }) => authorization)).toEqual([undefined, "Bearer k-1"]);
  });

  it("estimates the usage that a server leaves out, and says so", async () => {
    const { usage } = await ask(replyStream([delta("Hello there"), finish()]));
    expect(usage.estimated).toBe(true);
    expect(usage.outputTokens).toBe(4);
    expect(usage.inputTokens).toBeGreaterThan(4);
  });

  it("takes an empty answer for an answer", async () => {
    expect(await ask(replyStream([finish(), usageChunk(5, 0)]))).toMatchObject({ text: "", finish: "stop" });
  });

  it("tolerates chunks without choices and a stream without [DONE]", async () => {
    expect(await ask(replyStream([{ choices: [] }, {}, delta("x"), finish("length")], "finish"))).toMatchObject({
      text: "x",
      finish: "length",
    });
  });

  it.each(["reasoning_content", "reasoning"])("keeps the field %s out of the text", async (field) => {
    const answer = await ask(replyStream([delta("", { [field]: "hm, " }), delta("", { [field]: "well" }), delta("Yes."), finish()]));
    expect(answer).toMatchObject({ text: "Yes.", reasoning: "hm, well" });
  });

  it("keeps think tags out of the text and out of the deltas", async () => {
    const server = await serve(replyStream([delta("<th"), delta("ink>hm</th"), delta("ink>\n\nYes."), finish()]));
    const pieces: string[] = [];
    const answer = await clientOf([server.url]).chat(request, { signal: never, onDelta: (piece) => pieces.push(piece) });
    expect(answer).toMatchObject({ text: "Yes.", reasoning: "hm" });
    expect(pieces.join("")).toBe("Yes.");
  });

  it("knows reasoning also when the opening tag was in the prompt", async () => {
    expect(await ask(replyStream([delta("so, hm"), delta("</think>\nYes."), finish()]))).toMatchObject({
      text: "Yes.",
      reasoning: "so, hm",
    });
  });

  it("puts tool calls together from fragments with an id only on the first", async () => {
    const call = (part: object) => ({ choices: [{ delta: { tool_calls: [part] } }] });
    const answer = await ask(
      replyStream([
        call({ index: 0, id: "a", function: { name: "read_file", arguments: '{"pa' } }),
        call({ index: 0, function: { arguments: 'th":"x"}' } }),
        call({ index: 1, id: "b", function: { name: "run_tests", arguments: null } }),
        finish("tool_calls"),
      ]),
    );
    expect(answer).toMatchObject({
      finish: "tools",
      toolCalls: [
        { id: "a", name: "read_file", arguments: '{"path":"x"}' },
        { id: "b", name: "run_tests", arguments: "{}" },
      ],
    });
  });

  it("takes tool_calls without any call for a stop", async () => {
    expect(await ask(replyStream([delta("done"), finish("tool_calls")]))).toMatchObject({ text: "done", finish: "stop", toolCalls: [] });
  });
});

describe("createModelClient() failures", () => {
  it("says that a server is down", async () => {
    const url = await unusedUrl();
    await expect(clientOf([url]).chat(request, { signal: never })).rejects.toMatchObject({
      code: "model_unreachable",
      retryable: true,
      message: expect.stringContaining(`${url} does not answer (ECONNREFUSED)`),
    });
  });

  it("says that a host does not exist", async () => {
    await expect(clientOf(["http://no-such-host.invalid/v1"]).chat(request, { signal: never })).rejects.toMatchObject({
      code: "model_unreachable",
    });
  });

  it("names the variable of a refused or missing key, never the key", async () => {
    const server = await serve(replyJson(401, { error: { message: "Incorrect API key: secret-1" } }));
    const named = clientOf([server.url], { apiKeyEnv: "MY_KEY" }, { env: { MY_KEY: "secret-1" } });
    const refused = await named.chat(request, { signal: never }).catch((error: Error) => error);
    expect(refused).toMatchObject({ code: "model_unauthorized", message: expect.stringContaining("Check the key in MY_KEY") });
    expect((refused as Error).message).not.toContain("secret-1");
    await expect(clientOf([server.url], { apiKeyEnv: "MY_KEY" }).chat(request, { signal: never })).rejects.toThrow(
      /Set the environment variable MY_KEY/,
    );
    await expect(clientOf([server.url]).chat(request, { signal: never })).rejects.toThrow(/apiKeyEnv/);
  });

  it("lists what a server has when the model is unknown to it", async () => {
    const missing = replyJson(404, { error: { message: "The model `coder` does not exist." } });
    const server = await serve(missing, replyJson(200, { data: [{ id: "qwen-a" }, { id: "qwen-b" }] }));
    await expect(clientOf([server.url]).chat(request, { signal: never })).rejects.toMatchObject({
      code: "model_not_found",
      message: expect.stringMatching(/does not serve "coder".*It serves: qwen-a, qwen-b/),
    });
    const wrongPath = await serve((response) => response.writeHead(404).end("<h1>Not found</h1>"));
    await expect(clientOf([wrongPath.url]).chat(request, { signal: never })).rejects.toThrow(/check that the URL/);
  });

  it("hands on how long a busy server wants us to wait", async () => {
    const server = await serve(replyJson(429, { error: { message: "slow down" } }, { "retry-after": "7" }));
    await expect(clientOf([server.url]).chat(request, { signal: never })).rejects.toMatchObject({
      code: "model_rate_limited",
      retryAfterSeconds: 7,
    });
    expect(server.seen).toHaveLength(1);
  });

  it.each([
    [400, "This model's maximum context length is 4096 tokens", "model_context_overflow"],
    [400, "max_tokens=9 cannot be greater than max_model_len=4. Please request fewer output tokens.", "model_context_overflow"],
    [400, "the request exceeds the available context size", "model_context_overflow"],
    [400, "temperature must be non-negative", "model_refused"],
    [422, "unknown field", "model_refused"],
    [500, "out of memory", "model_failed"],
    [503, "loading", "model_failed"],
  ])("maps HTTP %i (%s) to %s", async (status, message, code) => {
    await expect(ask(replyJson(status, { error: { message } }))).rejects.toMatchObject({ code, message: expect.stringContaining(message) });
  });

  it.each<[string, Reply, string]>([
    ["a busy server", replyJson(429, { error: { message: "slow down" } }), "Lower `limits.parallel`, or wait."],
    ["a server that failed", replyJson(500, { error: { message: "out of memory." } }), "Look into the server's log."],
    ["a server that gave up", replyJson(504, { error: { message: "late" } }), "Look into the server's log."],
    [
      "a prompt that is too long",
      replyJson(413, { error: { message: "too long" } }),
      "Use a model with a larger context, or a smaller task.",
    ],
    ["a refused request", replyJson(400, { error: { message: "no" } }), "Change what it names, in troupe.yaml or in the role card."],
    ["a refused key", replyJson(401, {}), "Name the environment variable that holds its key as `apiKeyEnv` in troupe.yaml."],
    ["an error inside the stream", replyStream([{ error: { message: "engine died" } }]), "Look into the server's log."],
    ["no stream", replyJson(200, { choices: [] }), "Check that the URL is OpenAI-compatible."],
    ["half a stream that ends", replyStream([delta("Hel")], "finish"), "Check that the URL is OpenAI-compatible."],
    ["half a stream that is cut", replyStream([delta("Hel")], "cut"), "Look into the server's log."],
    ["an answer that the server gave up", replyStream([delta("Hel"), finish("abort")]), "Look into the server's log."],
  ])("says once what to do about %s", async (_, reply, help) => {
    const { message } = await ask(reply).then(
      () => new Error("it was answered"),
      (error: Error) => error,
    );
    expect(message.split(help)).toHaveLength(2);
    expect(message.endsWith(help)).toBe(true);
    expect(message).not.toMatch(/\.\.|\?\./);
  });

  it("maps an error inside the stream", async () => {
    await expect(ask(replyStream([delta("x"), { error: { message: "engine died" } }]))).rejects.toMatchObject({
      code: "model_failed",
      message: expect.stringContaining("engine died"),
    });
  });

  const longCall = { choices: [{ delta: { tool_calls: [{ index: 0, function: { name: "write", arguments: "x".repeat(50_000) } }] } }] };

  it.each<[string, Reply]>([
    ["a web page", (response) => response.writeHead(200, { "content-type": "text/html" }).end("<html>hi</html>")],
    ["broken JSON", replyStream(['{"choices": [', finish()])],
    ["chunks of another kind", replyStream([{ choices: "none" }])],
    ["a number", replyStream([42])],
    ["null", replyStream(["null"])],
    ["half a stream that ends", replyStream([delta("Hel")], "finish")],
    ["half a stream that is cut", replyStream([delta("Hel")], "cut")],
    ["nothing", (response) => response.writeHead(200, { "content-type": "text/event-stream" }).end()],
    ["something that is not HTTP", (response) => response.socket?.end("SSH-2.0-OpenSSH_9\r\n")],
    ["an answer without end", replyStream([...Array(20).fill(delta("word ".repeat(10_000))), finish()])],
    ["tool calls without end", replyStream([...Array(20).fill(longCall), finish("tool_calls")])],
  ])("calls %s garbage", async (_, reply) => {
    await expect(ask(reply)).rejects.toMatchObject({ code: "model_garbage", retryable: true });
  });

  const mebibyte = 1024 * 1024;
  it.each<[string, string | Buffer]>([
    ["bytes without a line break", Buffer.alloc(65_536, 7)],
    ["comments and no event", `: ${"x".repeat(65_000)}\n\n`],
  ])("refuses a server that sends %s for ever, after a few mebibytes", async (_, piece) => {
    const endless = replyForEver(piece);
    const server = await serve(endless.reply);
    await expect(clientOf([server.url]).chat(request, { signal: never })).rejects.toMatchObject({
      code: "model_garbage",
      message: expect.stringMatching(/^http\S+ .*without one whole event/),
    });
    await server.hungUp;
    // What the sockets hold between the two comes on top.
    expect(endless.sent()).toBeLessThan(32 * mebibyte);
  });

  it("refuses an error, and passes over a list of models, that has no end", async () => {
    const error = replyForEver("x".repeat(65_536), { status: 500 });
    const list = replyForEver("x".repeat(65_536));
    const server = await serve(error.reply, list.reply);
    const client = clientOf([server.url]);
    await expect(client.chat(request, { signal: never })).rejects.toMatchObject({ code: "model_failed" });
    expect((await client.info("default", never)).contextTokens).toBe(8192);
    expect(error.sent() + list.sent()).toBeLessThan(64 * mebibyte);
  });

  it.each<[string, Reply]>([
    ["no answer at all", () => undefined],
    ["an answer that stops after a token", replyStream([delta("Hel")], "open")],
    ["chunks that bring no token", (response) => replyStream(Array(50).fill({ choices: [] }), "open")(response, {} as never)],
  ])("gives %s up after timeoutSeconds and closes the connection", async (_, reply) => {
    const server = await serve(reply);
    await expect(clientOf([server.url], { timeoutSeconds: 0.1 }).chat(request, { signal: never })).rejects.toMatchObject({
      code: "model_timeout",
    });
    await server.hungUp;
  });

  it("does not give up while tokens come", async () => {
    const slowly: Reply = (response) => {
      response.writeHead(200, { "content-type": "text/event-stream" });
      let left = 12;
      const timer = setInterval(() => {
        response.write(`data: ${JSON.stringify(delta("x"))}\n\n`);
        if (--left > 0) return;
        clearInterval(timer);
        response.end(`data: ${JSON.stringify(finish())}\n\n`);
      }, 40);
    };
    expect((await ask(slowly, { timeoutSeconds: 0.4 })).text).toBe("x".repeat(12));
  });
});

describe("createModelClient() abort, pool and info", () => {
  it.each<[string, Reply]>([
    ["before the first token", () => undefined],
    ["in mid-stream", replyStream([delta("Hel")], "open")],
  ])("closes the connection when aborted %s and rejects with the reason", async (_, reply) => {
    const server = await serve(reply);
    const controller = new AbortController();
    const pending = clientOf([server.url]).chat(request, { signal: controller.signal, onDelta: () => controller.abort("enough") });
    if (_ === "before the first token") setTimeout(() => controller.abort("enough"), 50);
    await expect(pending).rejects.toBe("enough");
    await server.hungUp;
  });

  it("sends nothing when aborted beforehand", async () => {
    const server = await serve(hello);
    await expect(clientOf([server.url]).chat(request, { signal: AbortSignal.abort("no") })).rejects.toBe("no");
    expect(server.seen).toHaveLength(0);
  });

  it("ends open calls on close()", async () => {
    const server = await serve(replyStream([delta("Hel")], "open"));
    const client = clientOf([server.url]);
    const pending = client.chat(request, { signal: never, onDelta: () => void client.close() });
    await expect(pending).rejects.toMatchObject({ code: "cancelled" });
    await server.hungUp;
  });

  it("tries the next endpoint once when one is down", async () => {
    const server = await serve(hello);
    const answer = await clientOf([await unusedUrl(), server.url]).chat(request, { signal: never });
    expect(answer).toMatchObject({ text: "Hello", endpoint: server.url });
  });

  it("does not ask another endpoint when one has answered badly", async () => {
    const failing = await serve(replyJson(500, {}));
    const other = await serve(hello);
    await expect(clientOf([failing.url, other.url]).chat(request, { signal: never })).rejects.toMatchObject({ code: "model_failed" });
    expect(other.seen).toHaveLength(0);
  });

  it("asks the server for the context size once", async () => {
    const server = await serve(hello, replyJson(200, { data: [{ id: "coder", max_model_len: 4096 }] }));
    const client = clientOf([server.url]);
    expect(await client.info("default", never)).toEqual({ contextTokens: 4096, tools: "native" });
    await client.info("default", never);
    expect(server.seen).toHaveLength(1);
  });

  it("prefers the context size of troupe.yaml, and falls back to 8192", async () => {
    const server = await serve(hello, replyJson(200, { data: [] }));
    expect((await clientOf([server.url], { contextTokens: 1000 }).info("default", never)).contextTokens).toBe(1000);
    expect((await clientOf([server.url]).info("default", never)).contextTokens).toBe(8192);
  });

  it("names the models there are when one is unknown", async () => {
    await expect(clientOf(["http://127.0.0.1:1/v1"]).chat({ ...request, model: "big" }, { signal: never })).rejects.toMatchObject({
      code: "model_unknown",
      message: expect.stringContaining("default"),
    });
  });

  it("estimates tokens and money without asking anybody", () => {
    const estimate = clientOf(["http://127.0.0.1:1/v1"], { price: { input: 0, output: 10 } }).estimate(request);
    expect(estimate.tokens).toBeGreaterThan(16 + 5);
    expect(estimate.usd).toBeCloseTo(160e-6, 12);
  });

  it("leaves no listener on the caller's signal", async () => {
    const server = await serve(hello);
    const { signal } = new AbortController();
    const add = vi.spyOn(signal, "addEventListener");
    const remove = vi.spyOn(signal, "removeEventListener");
    await clientOf([server.url]).chat(request, { signal });
    expect(add).toHaveBeenCalled();
    const removed = new Set(remove.mock.calls.map(([, listener]) => listener));
    expect(add.mock.calls.filter(([, listener]) => !removed.has(listener))).toEqual([]);
  });
});

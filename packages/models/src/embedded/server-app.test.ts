import { describe, expect, it } from "vitest";
import { createEchoInference } from "../../test/echo-inference.ts";
import { createActivity } from "./activity.ts";
import { createServerApp } from "./server-app.ts";

function appOf(token: string | undefined = "t-1") {
  const inference = createEchoInference();
  const ending = new AbortController();
  const stops: number[] = [];
  const activity = createActivity(() => 0);
  const app = createServerApp({ inference, model: "m", key: "k", token, activity, signal: ending.signal, onStop: () => stops.push(1) });
  const headers = { authorization: "Bearer t-1", "content-type": "application/json" };
  const post = (body: unknown, signal: AbortSignal | null = null) =>
    app.request("/v1/chat/completions", { method: "POST", headers, body: typeof body === "string" ? body : JSON.stringify(body), signal });
  const embed = (body: unknown) => app.request("/v1/embeddings", { method: "POST", headers, body: JSON.stringify(body) });
  const chat = (content: string, more: object = {}) => post({ model: "m", messages: [{ role: "user", content }], ...more });
  return { app, inference, activity, stops, ending, post, embed, chat, headers };
}

describe("createServerApp()", () => {
  it("answers at once with text and usage", async () => {
    const { chat } = appOf();
    const answer = await (await chat("two words")).json();
    expect(answer).toMatchObject({
      object: "chat.completion",
      model: "m",
      choices: [{ index: 0, message: { role: "assistant", content: "two words" }, finish_reason: "stop" }],
      usage: { prompt_tokens: 9, completion_tokens: 2, total_tokens: 11, prompt_tokens_details: { cached_tokens: 1 } },
    });
  });

  it("answers in a stream that ends with the usage and [DONE]", async () => {
    const { chat } = appOf();
    const response = await chat("two words", { stream: true });
    expect(response.headers.get("content-type")).toContain("text/event-stream");
    const lines = (await response.text())
      .trim()
      .split("\n\n")
      .map((line) => line.replace("data: ", ""));
    expect(lines.at(-1)).toBe("[DONE]");
    const chunks = lines.slice(0, -1).map((line) => JSON.parse(line));
    expect(chunks.map((chunk) => chunk.choices[0]?.delta.content)).toEqual(["", "two ", "words", undefined, undefined]);
    expect(chunks.at(-2).choices[0].finish_reason).toBe("stop");
    expect(chunks.at(-1)).toMatchObject({ choices: [], usage: { prompt_tokens: 9, completion_tokens: 2 } });
  });

  it("hands on every option", async () => {
    const { chat, inference } = appOf();
    const format = { type: "json_schema", json_schema: { name: "a", schema: { type: "object" } } };
    await chat("x", { max_tokens: 5, temperature: 0.5, top_p: 0.9, seed: 3, stop: ["END", ""], response_format: format });
    expect(inference.requests[0]).toEqual({
      messages: [{ role: "user", content: "x" }],
      maxTokens: 5,
      temperature: 0.5,
      topP: 0.9,
      seed: 3,
      stop: ["END"],
      json: { type: "object" },
    });
  });

  it("takes parts, null contents and tool messages", async () => {
    const { post, inference } = appOf();
    const messages = [
      {
        role: "developer",
        content: [
          { type: "text", text: "be " },
          { type: "text", text: "brief" },
        ],
      },
      { role: "assistant", content: null, tool_calls: [{}] },
      { role: "tool", tool_call_id: "1", content: "42" },
    ];
    await post({ model: "m", messages });
    expect(inference.requests[0]?.messages).toEqual([
      { role: "system", content: "be brief" },
      { role: "assistant", content: "" },
      { role: "user", content: "Result of the tool:\n42" },
    ]);
  });

  it.each<[string, object | string, number, string]>([
    ["a prompt that is too long", { model: "m", messages: [{ role: "user", content: "x".repeat(1001) }] }, 400, "context_length_exceeded"],
    [
      "a prompt that is too long, in a stream",
      { model: "m", stream: true, messages: [{ role: "user", content: "x".repeat(1001) }] },
      400,
      "context_length_exceeded",
    ],
    ["another model", { model: "gpt", messages: [{ role: "user", content: "x" }] }, 404, "model_not_found"],
    ["tools", { model: "m", messages: [{ role: "user", content: "x" }], tools: [{}] }, 400, "model_refused"],
    ["several answers", { model: "m", messages: [{ role: "user", content: "x" }], n: 2 }, 400, "model_refused"],
    ["no messages", { model: "m", messages: [] }, 400, "model_refused"],
    ["a bad parameter", { model: "m", messages: [{ role: "user", content: "x" }], temperature: -3 }, 400, "model_refused"],
    ["something that is not JSON", "{", 400, "model_refused"],
  ])("refuses %s", async (_, body, status, code) => {
    const { post, activity } = appOf();
    const response = await post(body);
    expect(response.status).toBe(status);
    expect(await response.json()).toMatchObject({ error: { code, message: expect.any(String) } });
    expect(activity.busy).toBe(0);
  });

  it("reports a fault: 500 at once, an error chunk in a stream", async () => {
    const { chat } = appOf();
    expect((await chat("fail")).status).toBe(500);
    const text = await (await chat("fail", { stream: true })).text();
    expect(text).toContain('"error":{"message":"native fault"');
    expect(text).not.toContain("[DONE]");
  });

  it("turns texts into vectors, as numbers or in base64", async () => {
    const { embed, activity } = appOf();
    expect(await (await embed({ model: "m", input: ["abc", "d"] })).json()).toEqual({
      object: "list",
      model: "m",
      data: [
        { object: "embedding", index: 0, embedding: [3, 0, 1] },
        { object: "embedding", index: 1, embedding: [1, 0, 1] },
      ],
      usage: { prompt_tokens: 4, total_tokens: 4 },
    });
    const answer = await embed({ model: "m", input: "abc", encoding_format: "base64" });
    const coded = (await answer.json()) as { data: { embedding: string }[] };
    expect([...new Float32Array(Uint8Array.from(Buffer.from(coded.data[0]?.embedding ?? "", "base64")).buffer)]).toEqual([3, 0, 1]);
    expect(activity.busy).toBe(0);
  });

  it.each([
    ["a text that is too long", { model: "m", input: "x".repeat(1001) }, 400, "context_length_exceeded"],
    ["another model", { model: "gpt", input: "x" }, 404, "model_not_found"],
    ["no texts", { model: "m", input: [] }, 400, "model_refused"],
    ["tokens instead of texts", { model: "m", input: [1, 2] }, 400, "model_refused"],
  ])("embeds not %s", async (_, body, status, code) => {
    const { embed, activity } = appOf();
    const response = await embed(body);
    expect(response.status).toBe(status);
    expect(await response.json()).toMatchObject({ error: { code } });
    expect(activity.busy).toBe(0);
  });

  it("wants the token everywhere", async () => {
    const { app } = appOf();
    for (const path of ["/health", "/v1/models", "/v1/chat/completions", "/v1/embeddings", "/stop"]) {
      for (const headers of [{}, { authorization: "Bearer wrong" }]) {
        expect((await app.request(path, { method: /chat|embeddings|stop/.test(path) ? "POST" : "GET", headers })).status).toBe(401);
      }
    }
  });

  it("without a token answers only under a loopback name", async () => {
    const { app } = appOf("");
    expect((await app.request("/health")).status).toBe(401);
    const open = createServerApp({
      inference: createEchoInference(),
      model: "m",
      key: "k",
      activity: createActivity(() => 0),
      signal: new AbortController().signal,
      onStop: () => undefined,
    });
    expect((await open.request("/health", { headers: { host: "localhost:8080" } })).status).toBe(200);
    expect((await open.request("/health", { headers: { host: "rebound.example:8080" } })).status).toBe(401);
  });

  it("tells its health and its model", async () => {
    const { app, headers } = appOf();
    expect(await (await app.request("/health", { headers })).json()).toEqual({ status: "ok", key: "k", pid: process.pid, busy: 0 });
    expect(await (await app.request("/v1/models", { headers })).json()).toMatchObject({ data: [{ id: "m", max_model_len: 1000 }] });
  });

  it("stops generating when the reader leaves, and when the server ends", async () => {
    const { chat, inference, activity, ending } = appOf();
    const left = await chat("wait", { stream: true });
    const ended = await chat("wait", { stream: true });
    await expect.poll(() => inference.running).toBe(2);
    expect(activity.busy).toBe(2);
    await left.body?.cancel();
    await expect.poll(() => inference.running).toBe(1);
    ending.abort(new Error("the server ends"));
    expect(await ended.text()).toContain("the server ends");
    expect(activity.busy).toBe(0);
  });

  it("ends when asked to, after the answer", async () => {
    const { app, headers, stops } = appOf();
    expect((await app.request("/stop", { method: "POST", headers })).status).toBe(204);
    await expect.poll(() => stops).toEqual([1]);
  });
});

describe("createActivity()", () => {
  it("is idle since the last sign of life, and never while busy", () => {
    let now = 0;
    const activity = createActivity(() => now);
    now = 10;
    expect(activity.idleMs()).toBe(10);
    const end = activity.begin();
    now = 20;
    expect(activity.idleMs()).toBe(0);
    end();
    end();
    now = 25;
    expect(activity).toMatchObject({ busy: 0 });
    expect(activity.idleMs()).toBe(5);
    activity.touch();
    expect(activity.idleMs()).toBe(0);
  });
});

import { type ChatRequest, type Clock, TroupeError } from "@troupe/schema";
import { describe, expect, it } from "vitest";
import { createScriptedModel } from "./scripted-model.ts";

const request: ChatRequest = { model: "default", messages: [{ role: "user", content: "say two words" }], maxTokens: 10 };
const never = new AbortController().signal;

describe("createScriptedModel()", () => {
  it("answers a list in order and counts words as tokens", async () => {
    const model = createScriptedModel(["one two", { text: "three", finish: "length" }]);
    const first = await model.chat(request, { signal: never });
    expect(first).toMatchObject({ text: "one two", finish: "stop", toolCalls: [], endpoint: "scripted" });
    expect(first.usage).toMatchObject({ calls: 1, inputTokens: 3, outputTokens: 2, estimated: false });
    expect(await model.chat(request, { signal: never })).toMatchObject({ text: "three", finish: "length" });
    expect(model.requests).toEqual([request, request]);
  });

  it("embeds texts by their words, as vectors of norm 1", async () => {
    const model = createScriptedModel([]);
    const texts = ["sort a list", "sort a list", "sort a tuple", "Bonjour"];
    const { vectors, usage } = await model.embed({ model: "embedding", texts }, { signal: never });
    const cosine = (a: number, b: number) => (vectors[a] ?? new Float32Array()).reduce((sum, x, i) => sum + x * (vectors[b]?.[i] ?? 0), 0);
    expect([cosine(0, 0), cosine(0, 1), cosine(0, 2), cosine(0, 3)].map((x) => Number(x.toFixed(4)))).toEqual([1, 1, 0.6667, 0]);
    expect(usage).toMatchObject({ calls: 1, inputTokens: 10 });
    await expect(model.embed({ model: "m", texts }, { signal: AbortSignal.abort("no") })).rejects.toBe("no");
  });

  it("fails with a clear error when the list is used up", async () => {
    const model = createScriptedModel([]);
    await expect(model.chat(request, { signal: never })).rejects.toThrow(/has 0 answers/);
    expect(model.running).toBe(0);
  });

  it("ends a call with the scripted error", async () => {
    const model = createScriptedModel([new TroupeError("model_failed", "down")]);
    await expect(model.chat(request, { signal: never })).rejects.toMatchObject({ code: "model_failed" });
  });

  it("asks a function with the request and the number of the call", async () => {
    const model = createScriptedModel(async (asked, call) => `${asked.model} ${call}`);
    await model.chat(request, { signal: never });
    expect((await model.chat(request, { signal: never })).text).toBe("default 1");
  });

  it("tells the deltas, which together are the text", async () => {
    const text = "  a piece\n of text \n";
    const deltas: string[] = [];
    await createScriptedModel([text]).chat(request, { signal: never, onDelta: (delta) => deltas.push(delta) });
    expect(deltas.length).toBeGreaterThan(2);
    expect(deltas.join("")).toBe(text);
  });

  it("says finish: tools when there are tool calls", async () => {
    const model = createScriptedModel([{ toolCalls: [{ id: "1", name: "read_file", arguments: "{}" }] }]);
    expect(await model.chat(request, { signal: never })).toMatchObject({ text: "", finish: "tools" });
  });

  it("rejects with the signal's reason while a script never answers", async () => {
    const controller = new AbortController();
    const model = createScriptedModel(() => new Promise<never>(() => undefined));
    const pending = model.chat(request, { signal: controller.signal });
    expect(model.running).toBe(1);
    controller.abort("enough");
    await expect(pending).rejects.toBe("enough");
    expect(model).toMatchObject({ running: 0, aborted: 1 });
  });

  it("waits by the injected clock", async () => {
    const slept: number[] = [];
    const clock: Clock = { now: () => 0, sleep: async (milliseconds) => void slept.push(milliseconds) };
    await createScriptedModel(["x", "y"], { clock, delayMs: 250 }).chat(request, { signal: never });
    expect(slept).toEqual([250]);
  });

  it("estimates prompt and answer", () => {
    expect(createScriptedModel([], { usdPerToken: 0.5 }).estimate(request)).toEqual({ tokens: 13, usd: 6.5 });
  });
});

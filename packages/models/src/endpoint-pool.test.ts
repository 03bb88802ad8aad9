import { type ChatAnswer, type ChatRequest, noUsage, TroupeError } from "@troupe/schema";
import { describe, expect, it } from "vitest";
import type { Endpoint } from "./endpoint.ts";
import { createEndpointPool } from "./endpoint-pool.ts";

const request: ChatRequest = { model: "m", messages: [], maxTokens: 1 };
const options = { signal: new AbortController().signal };

function endpoint(url: string, chat: () => Promise<ChatAnswer>, models: Endpoint["models"] = async () => undefined): Endpoint {
  return { url, chat, embed: () => Promise.reject(new Error("not expected")), models };
}

function answer(endpointName: string): ChatAnswer {
  return { text: "", toolCalls: [], finish: "stop", usage: noUsage, endpoint: endpointName };
}

describe("createEndpointPool()", () => {
  it("spreads calls by what is outstanding", async () => {
    const finish: (() => void)[] = [];
    const slow = (name: string) => endpoint(name, () => new Promise((resolve) => finish.push(() => resolve(answer(name)))));
    const pool = createEndpointPool([slow("a"), slow("b")]);
    const calls = [1, 2, 3, 4].map(() => pool.chat(request, options));
    await Promise.resolve();
    for (const done of finish) done();
    expect((await Promise.all(calls)).map((one) => one.endpoint)).toEqual(["a", "b", "a", "b"]);
    const next = pool.chat(request, options);
    finish.at(-1)?.();
    expect((await next).endpoint).toBe("a");
  });

  it("asks one other endpoint, once, when one can't be reached", async () => {
    const asked: string[] = [];
    const down = (name: string) =>
      endpoint(name, async () => {
        asked.push(name);
        throw new TroupeError("model_unreachable", name);
      });
    await expect(createEndpointPool([down("a"), down("b"), down("c")]).chat(request, options)).rejects.toThrow("b");
    await expect(createEndpointPool([down("d")]).chat(request, options)).rejects.toThrow("d");
    expect(asked).toEqual(["a", "b", "d"]);
  });

  it("lists the models of the first endpoint that tells", async () => {
    const silent = endpoint("a", async () => answer("a"));
    const telling = endpoint(
      "b",
      async () => answer("b"),
      async () => [{ id: "x" }],
    );
    expect(await createEndpointPool([silent, telling]).models(options.signal)).toEqual([{ id: "x" }]);
  });

  it("says so when there is no endpoint", async () => {
    await expect(createEndpointPool([]).chat(request, options)).rejects.toMatchObject({ code: "model_unavailable" });
  });
});

import { createServer, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { createMemoryStore } from "@troupe/engine";
import { createModelClient } from "@troupe/models";
import { type ModelEntry, projectFile, type Sandbox, topologyBundle } from "@troupe/schema";
import { afterEach, expect, it } from "vitest";
import type { Ports } from "./ports.ts";
import { runTroupe } from "./run-troupe.ts";

const closing: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const close of closing.splice(0)) await close();
});

/** A model server that answers every call alike, and keeps the first one waiting until it is told. */
async function slowServer() {
  const order: string[] = [];
  let release = (): void => undefined;
  const released = new Promise<void>((resolve) => {
    release = resolve;
  });
  const answer = (response: ServerResponse): void => {
    const chunk = { choices: [{ index: 0, delta: { content: "the same" }, finish_reason: "stop" }] };
    response.writeHead(200, { "content-type": "text/event-stream" }).end(`data: ${JSON.stringify(chunk)}\n\ndata: [DONE]\n\n`);
  };
  const server = createServer((request, response) => {
    let body = "";
    request.on("data", (piece) => {
      body += String(piece);
    });
    request.on("end", () => {
      order.push(body.includes("the large task") ? "large" : "small");
      void (order.length === 1 ? released : Promise.resolve()).then(() => answer(response));
    });
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  closing.push(async () => {
    server.close();
    server.closeAllConnections();
  });
  return { order, url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`, release };
}

const nothing: Sandbox = { name: "fake", strength: "none", run: () => Promise.reject(new Error("not expected")) };

function portsOf(entry: ModelEntry): Ports {
  const models = createModelClient({ models: { default: entry }, env: {}, startEmbedded: () => Promise.reject(new Error("not expected")) });
  closing.push(() => models.close());
  const project = { root: process.cwd(), path: undefined, file: projectFile.parse({}) };
  return { project, models, modelNames: ["default"], sandbox: nothing, store: createMemoryStore(), close: async () => undefined };
}

/** So many agents that write a text each, all at once. */
function agents(count: number) {
  const nodes = Array.from({ length: count }, (_, i) => ({ id: `n${i}` }));
  const defaults = { actor: "actor", aggregator: "aggregator" };
  const card = (name: string, kind: string) => ({ agent: 1, name, kind, instructions: "Write." });
  const file = { troupe: 1, name: `agents-${count}`, nodes, defaults, limits: { parallel: count } };
  return topologyBundle.parse({ file, cards: { actor: card("writer", "actor"), aggregator: card("merger", "aggregator") } });
}

it("runTroupe() lets runs that share a model of few slots take turns, however much one of them asks", async () => {
  const server = await slowServer();
  const ports = portsOf({ endpoints: [server.url], model: "m", contextTokens: 8192, tools: "text", timeoutSeconds: 60, parallel: 1 });
  const start = (count: number, prompt: string) => runTroupe({ topology: agents(count), task: { prompt, output: "text" }, ports, seed: 1 });
  const runs = [start(8, "the large task"), start(2, "the small task")];
  let called = 0;
  const watched = runs.map(async (run) => {
    for await (const event of run) if (event.kind === "call.started" && ++called === 10) server.release();
    return (await run.result).outcome.kind;
  });
  expect(await Promise.all(watched)).toEqual(["completed", "completed"]);
  expect(server.order).toHaveLength(10);
  // Without turns the small run, which came last, would be asked for after all eight calls of the large one.
  expect(server.order.slice(0, 5).filter((name) => name === "small")).toHaveLength(2);
});

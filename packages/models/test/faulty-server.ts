import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";

/** What a request to the server was. */
export interface SeenRequest {
  readonly method: string;
  readonly path: string;
  readonly authorization: string | undefined;
  readonly body: Record<string, unknown>;
}

/** Answers one request in any way it likes, also badly. */
export type Reply = (response: ServerResponse, request: SeenRequest) => void;

/** A server that does what the test says; see {@link startFaultyServer}. */
export interface FaultyServer {
  readonly url: string;
  readonly seen: readonly SeenRequest[];
  /** Resolves when the client has closed the connection of an unfinished answer. */
  readonly hungUp: Promise<void>;
  close(): Promise<void>;
}

/** Starts a server whose chat answers are scripted. */
export async function startFaultyServer(chat: Reply, models: Reply = (response) => response.writeHead(404).end()): Promise<FaultyServer> {
  const seen: SeenRequest[] = [];
  const hungUp = withResolvers();
  const server = createServer((incoming, response) => {
    response.on("close", () => {
      if (!response.writableFinished) hungUp.resolve();
    });
    void readBody(incoming).then((body) => {
      const request = { method: incoming.method ?? "", path: incoming.url ?? "", authorization: incoming.headers.authorization, body };
      seen.push(request);
      (request.path.endsWith("/models") ? models : chat)(response, request);
    });
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}/v1`,
    seen,
    hungUp: hungUp.promise,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

/** Answers with a status and a JSON body. */
export function replyJson(status: number, body: unknown, headers: Record<string, string> = {}): Reply {
  return (response) => response.writeHead(status, { "content-type": "application/json", ...headers }).end(JSON.stringify(body));
}

/** Answers with an event stream of these chunks; `[DONE]` unless told otherwise. */
export function replyStream(chunks: readonly unknown[], end: "done" | "finish" | "cut" | "open" = "done"): Reply {
  return (response) => {
    response.writeHead(200, { "content-type": "text/event-stream" });
    for (const chunk of chunks) response.write(`data: ${typeof chunk === "string" ? chunk : JSON.stringify(chunk)}\n\n`);
    if (end === "done") response.end("data: [DONE]\n\n");
    if (end === "finish") response.end();
    if (end === "cut") setTimeout(() => response.destroy(), 20);
  };
}

/** Bytes that a server sends for as long as somebody reads them, and how many those were; see {@link replyForEver}. */
export interface EndlessReply {
  readonly reply: Reply;
  sent(): number;
}

/** Answers with the same piece again and again, as fast as it is read; at a bound that no test should reach it only waits. */
export function replyForEver(piece: string | Buffer, { status = 200, most = 64 * 1024 * 1024 } = {}): EndlessReply {
  let sent = 0;
  const reply: Reply = (response) => {
    response.writeHead(status, { "content-type": "text/event-stream" });
    const send = (): void => {
      while (!response.destroyed && sent < most) {
        sent += Buffer.byteLength(piece);
        if (!response.write(piece)) return void response.once("drain", send);
      }
    };
    send();
  };
  return { reply, sent: () => sent };
}

/** A chunk with a piece of the answer. */
export function delta(content: string, more: Record<string, unknown> = {}): unknown {
  return { choices: [{ index: 0, delta: { content, ...more }, finish_reason: null }] };
}

/** The chunk that ends an answer. */
export function finish(reason = "stop"): unknown {
  return { choices: [{ index: 0, delta: {}, finish_reason: reason }] };
}

/** The chunk with the usage, which has no choices. */
export function usageChunk(prompt: number, completion: number): unknown {
  return { choices: [], usage: { prompt_tokens: prompt, completion_tokens: completion, total_tokens: prompt + completion } };
}

async function readBody(incoming: IncomingMessage): Promise<Record<string, unknown>> {
  let text = "";
  for await (const piece of incoming) text += piece;
  return text === "" ? {} : JSON.parse(text);
}

function withResolvers(): { promise: Promise<void>; resolve: () => void } {
  let resolve = () => {};
  const promise = new Promise<void>((done) => {
    resolve = done;
  });
  return { promise, resolve };
}

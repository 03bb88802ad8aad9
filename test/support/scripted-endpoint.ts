import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { setTimeout as sleep } from "node:timers/promises";

/** A chat request as the server got it. */
export interface AskedChat {
  /** Number of the request, from 0. */
  readonly number: number;
  readonly system: string;
  /** The last message. */
  readonly last: string;
  readonly body: string;
}

/** How a chat request is answered. */
export interface ScriptedReply {
  readonly text?: string;
  /** HTTP status other than 200, with `text` as the whole body. */
  readonly status?: number;
  /** A body that is sent as it is, instead of an event stream. */
  readonly raw?: string;
  /** Milliseconds before the first word. */
  readonly delayMs?: number;
  /** Milliseconds between two words. */
  readonly wordMs?: number;
  /** Never answers. */
  readonly silent?: boolean;
  /** Ends the connection after this many words. */
  readonly cutAfter?: number;
}

/** A server that speaks the OpenAI protocol and answers what a test says. */
export interface ScriptedEndpoint {
  readonly url: string;
  readonly asked: readonly AskedChat[];
  /** Requests that are being answered now. */
  readonly open: number;
  close(): Promise<void>;
}

/**
 * Starts a server on a free loopback port with one model, `scripted`; tokens are words.
 *
 * @example
 * const endpoint = await startScriptedEndpoint(({ system }) => ({ text: system.includes("review") ? "fine" : "print(1)" }));
 */
export async function startScriptedEndpoint(answer: (asked: AskedChat) => ScriptedReply): Promise<ScriptedEndpoint> {
  const asked: AskedChat[] = [];
  const state = { open: 0 };
  const stopped = new AbortController();
  const server = createServer((request, response) => {
    state.open++;
    response.on("close", () => state.open--);
    void readText(request).then(async (body) => {
      if (request.url?.endsWith("/models")) return sendJson(response, { object: "list", data: [{ id: "scripted", max_model_len: 8192 }] });
      const chat = { number: asked.length, ...readChat(body), body };
      asked.push(chat);
      return sendReply(response, answer(chat), body.split(/\s+/).length, stopped.signal).catch(() => response.destroy());
    });
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}/v1`,
    asked,
    get open() {
      return state.open;
    },
    close: () => {
      stopped.abort();
      server.closeAllConnections();
      return new Promise((resolve) => server.close(() => resolve()));
    },
  };
}

async function sendReply(response: ServerResponse, reply: ScriptedReply, promptTokens: number, signal: AbortSignal): Promise<void> {
  const { text = "", status = 200, raw, delayMs = 0 } = reply;
  if (delayMs > 0) await sleep(delayMs, undefined, { signal });
  if (reply.silent === true) return;
  if (status !== 200 || raw !== undefined) {
    response.writeHead(status, { "content-type": "application/json" }).end(raw ?? text);
    return;
  }
  const words = text.match(/\s*\S+\s*/g) ?? [];
  await sendWords(response, words, reply, signal);
  response.write(chunk({ choices: [{ index: 0, delta: {}, finish_reason: "stop" }] }));
  const usage = { prompt_tokens: promptTokens, completion_tokens: words.length, total_tokens: promptTokens + words.length };
  response.end(`${chunk({ choices: [], usage })}data: [DONE]\n\n`);
}

async function sendWords(
  response: ServerResponse,
  words: readonly string[],
  { wordMs = 0, cutAfter }: ScriptedReply,
  signal: AbortSignal,
): Promise<void> {
  response.writeHead(200, { "content-type": "text/event-stream" });
  for (const [index, word] of words.entries()) {
    if (index === cutAfter) throw new Error("cut");
    if (wordMs > 0) await sleep(wordMs, undefined, { signal });
    response.write(chunk({ choices: [{ index: 0, delta: { content: word }, finish_reason: null }] }));
  }
}

function chunk(fields: Record<string, unknown>): string {
  return `data: ${JSON.stringify({ id: "chat", object: "chat.completion.chunk", created: 0, model: "scripted", ...fields })}\n\n`;
}

function readChat(body: string): { system: string; last: string } {
  const { messages } = JSON.parse(body) as { messages: { role: string; content: string }[] };
  return { system: messages.find(({ role }) => role === "system")?.content ?? "", last: messages.at(-1)?.content ?? "" };
}

function sendJson(response: ServerResponse, value: unknown): void {
  response.writeHead(200, { "content-type": "application/json" }).end(JSON.stringify(value));
}

async function readText(request: IncomingMessage): Promise<string> {
  let text = "";
  for await (const piece of request) text += piece;
  return text;
}

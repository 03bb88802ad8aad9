import { createHash, timingSafeEqual } from "node:crypto";
import { TroupeError, toTroupeError } from "@troupe/schema";
import { type Context, Hono } from "hono";
import { bodyLimit } from "hono/body-limit";
import type { z } from "zod";
import { linkSignals } from "../linked-signal.ts";
import type { Activity } from "./activity.ts";
import { answerAtOnce, answerInStream } from "./completion-answer.ts";
import { completionRequest, toInferenceRequest } from "./completion-request.ts";
import { embeddingBody, embeddingRequest, textsOf } from "./embedding-request.ts";
import type { Inference } from "./inference.ts";

/** What the server's application stands on. */
export interface ServerAppOptions {
  readonly inference: Inference;
  /** The model's name. */
  readonly model: string;
  /** Which server this is; see `toServing`. */
  readonly key: string;
  /** Bearer token that every request must carry; without one, only calls to a loopback name are answered. */
  readonly token?: string | undefined;
  readonly activity: Activity;
  /** Aborted when the server ends. */
  readonly signal: AbortSignal;
  /** Told when a caller asks the server to end. */
  readonly onStop: () => void;
}

const maxBodyBytes = 16 * 2 ** 20;
const loopbackHost = /^(localhost|127\.0\.0\.1|\[::1\])(:\d+)?$/;

/** Makes the OpenAI-compatible application of a loaded model: chat or embeddings, list of models, health, and how it is kept alive and ended. */
export function createServerApp(options: ServerAppOptions): Hono {
  const { inference, model, key, activity } = options;
  const app = new Hono();
  app.onError((error, context) => refuse(context, error));
  app.notFound((context) => context.json(errorBody("There is nothing at this path.", "not_found"), 404));
  app.use(async (context, next) => (isAllowed(context, options.token) ? next() : unauthorized(context)));
  app.get("/health", (context) => context.json({ status: "ok", key, pid: process.pid, busy: activity.busy }));
  app.get("/v1/models", (context) =>
    context.json({ object: "list", data: [{ id: model, object: "model", owned_by: "troupe", max_model_len: inference.contextTokens }] }),
  );
  app.post("/lease", (context) => {
    activity.touch();
    return context.body(null, 204);
  });
  app.post("/stop", (context) => {
    // The answer first: the process is gone soon after.
    setImmediate(options.onStop);
    return context.body(null, 204);
  });
  app.post("/v1/chat/completions", bodyLimit({ maxSize: maxBodyBytes }), (context) => complete(context, options));
  app.post("/v1/embeddings", bodyLimit({ maxSize: maxBodyBytes }), (context) => embed(context, options));
  return app;
}

/** Reads the body of a request for this model, or says what is wrong with it. */
async function readBody<T extends { readonly model: string }>(
  context: Context,
  schema: z.ZodType<T>,
  model: string,
): Promise<T | Response> {
  const body = schema.safeParse(await context.req.json().catch(() => undefined));
  if (!body.success) {
    const first = body.error.issues[0];
    throw new TroupeError("model_refused", `The request is malformed at "${first?.path.join(".") ?? ""}": ${first?.message ?? "not JSON"}`);
  }
  if (body.data.model === model) return body.data;
  return context.json(errorBody(`The model "${body.data.model}" does not exist; this server has "${model}".`, "model_not_found"), 404);
}

async function embed(context: Context, { inference, model, activity, signal }: ServerAppOptions): Promise<Response> {
  const body = await readBody(context, embeddingRequest, model);
  if (body instanceof Response) return body;
  const either = linkSignals(signal, context.req.raw.signal);
  const ended = activity.begin();
  try {
    return context.json(embeddingBody(body, await inference.embed(textsOf(body), either.signal)));
  } finally {
    either.release();
    ended();
  }
}

async function complete(context: Context, { inference, model, activity, signal }: ServerAppOptions): Promise<Response> {
  const body = await readBody(context, completionRequest, model);
  if (body instanceof Response) return body;
  const ended = activity.begin();
  try {
    const prepared = await inference.prepare(toInferenceRequest(body));
    const call = { prepared, model, signal, ended };
    return body.stream === true ? answerInStream(context, call) : await answerAtOnce(context, call);
  } catch (thrown) {
    ended();
    throw thrown;
  }
}

function isAllowed(context: Context, token: string | undefined): boolean {
  // A web page can reach loopback under a name of its own; such a name is not ours.
  if (token === undefined) return loopbackHost.test(context.req.header("host") ?? "");
  return timingSafeEqual(sha256(context.req.header("authorization") ?? ""), sha256(`Bearer ${token}`));
}

function unauthorized(context: Context): Response {
  return context.json(errorBody("The token is missing or wrong.", "invalid_api_key"), 401);
}

function refuse(context: Context, thrown: Error): Response {
  const error = toTroupeError(thrown);
  const isOverflow = error.code === "model_context_overflow";
  const status = isOverflow || error.code === "model_refused" ? 400 : 500;
  return context.json(errorBody(error.message, isOverflow ? "context_length_exceeded" : error.code), status);
}

/** An error in the form of the OpenAI API. */
function errorBody(message: string, code: string): unknown {
  return { error: { message, type: "invalid_request_error", param: null, code } };
}

function sha256(text: string): Buffer {
  return createHash("sha256").update(text).digest();
}

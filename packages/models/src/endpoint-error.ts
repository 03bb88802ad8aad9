import { type ErrorCode, errorCodes, isTroupeError, TroupeError } from "@troupe/schema";

/** Where a call failed. */
export interface FailedCall {
  /** Base URL of the endpoint. */
  readonly url: string;
  /** The model's name on the server. */
  readonly model: string;
  /** Environment variable that holds the key, if one is declared. */
  readonly apiKeyEnv?: string | undefined;
  /** The key itself, to keep it out of messages. */
  readonly key?: string | undefined;
  /** What was to come, such as `a chat stream`. */
  readonly expected: string;
  /** Whether the answer had begun. */
  readonly began: boolean;
}

const overflowWords =
  /context[ _-]?(length|window|size)|max(imum)?[ _]model[ _]len|maximum context|exceed[a-z_]* .*context|exceed_context|too many tokens|prompt is too long|input is too long/i;

/** Makes a {@link TroupeError} of whatever a call to an endpoint threw: what, where, and what to do. */
export function toEndpointError(thrown: unknown, call: FailedCall): TroupeError {
  const error = toError(thrown, call);
  return call.key === undefined ? error : withoutKey(error, call.key);
}

const seeLog = errorCodes.model_failed.help;

/** What happened and what to do about it, in sentences; what to do is what the code's row says unless something better is known. */
function withHelp(code: ErrorCode, what: string, help: string = errorCodes[code].help): string {
  return `${what}${/[.!?]$/.test(what) ? "" : "."} ${help}`;
}

function toError(thrown: unknown, call: FailedCall): TroupeError {
  const make = (code: ErrorCode, what: string, help?: string) => new TroupeError(code, withHelp(code, what, help), { cause: thrown });
  if (isTroupeError(thrown)) return make(thrown.code, `${call.url}: ${thrown.message}`);
  const { status } = thrown as { status?: unknown };
  if (typeof status === "number") return statusError(status, thrown as StatusError, call);
  if (isApiError(thrown)) return streamedError(thrown, call);
  const code = causeCode(thrown);
  if (code === "UND_ERR_HEADERS_TIMEOUT" || code === "UND_ERR_BODY_TIMEOUT") {
    return make("model_timeout", `${call.url} sent nothing for five minutes, which is as long as Node waits.`, "Use a smaller model.");
  }
  if (thrown instanceof SyntaxError || code?.startsWith("HPE_") === true) {
    return make("model_garbage", `${call.url} answered something that is not ${call.expected}.`);
  }
  if (call.began) return make("model_garbage", `${call.url} broke off in the middle of the answer.`, seeLog);
  return new TroupeError("model_unreachable", unreachable(code ?? messageOf(thrown), call), { cause: thrown });
}

function unreachable(said: string, { url }: FailedCall): string {
  const closed = said === "UND_ERR_SOCKET" || said === "ECONNRESET";
  if (closed) return `${url} closed the connection before it answered (${said}). Look into the server's log.`;
  return `${url} does not answer (${said}). Start the server or mend the URL.`;
}

interface StatusError {
  readonly message: string;
  readonly code?: unknown;
  readonly headers?: Headers | undefined;
  readonly error?: { readonly message?: unknown } | undefined;
}

function statusError(status: number, thrown: StatusError, call: FailedCall): TroupeError {
  const said = serverMessage(thrown);
  const wait = retryAfter(thrown.headers, Date.now());
  const make = (code: ErrorCode, message: string, retryAfterSeconds?: number) =>
    new TroupeError(code, message, {
      cause: thrown,
      details: { status },
      ...(retryAfterSeconds === undefined ? {} : { retryAfterSeconds }),
    });
  if (status === 401 || status === 403) return make("model_unauthorized", unauthorized(status, call));
  if (status === 404) return make("model_not_found", `${call.url} does not serve "${call.model}" (HTTP 404: ${said}).`);
  if (status === 429) {
    return make("model_rate_limited", withHelp("model_rate_limited", `${call.url} asks us to slow down (HTTP 429: ${said}).`), wait);
  }
  if (status === 408 || status === 504) return make("model_timeout", `${call.url} gave up waiting (HTTP ${status}: ${said}). ${seeLog}`);
  if (status >= 500) return make("model_failed", `${call.url} failed (HTTP ${status}: ${said}). ${seeLog}`, wait);
  if (status === 413 || isOverflow(thrown, said))
    return make("model_context_overflow", withHelp("model_context_overflow", `The prompt does not fit "${call.model}": ${said}`));
  return make(
    "model_refused",
    `${call.url} refused the request (HTTP ${status}: ${said}). Change what it names, in troupe.yaml or in the role card.`,
  );
}

function streamedError(thrown: StatusError, call: FailedCall): TroupeError {
  const said = serverMessage(thrown);
  const code = isOverflow(thrown, said) ? "model_context_overflow" : "model_failed";
  return new TroupeError(code, withHelp(code, `${call.url} reported an error in the stream: ${said}`), { cause: thrown });
}

function unauthorized(status: number, { url, apiKeyEnv, key }: FailedCall): string {
  const start = `${url} refuses the call (HTTP ${status}).`;
  if (apiKeyEnv === undefined) return `${start} Name the environment variable that holds its key as \`apiKeyEnv\` in troupe.yaml.`;
  return key === undefined
    ? `${start} Set the environment variable ${apiKeyEnv}, which is empty or not set.`
    : `${start} Check the key in ${apiKeyEnv}.`;
}

function isOverflow({ code }: StatusError, said: string): boolean {
  return code === "context_length_exceeded" || overflowWords.test(said);
}

/** Seconds that a `Retry-After` header asks for: a number, or a date. */
function retryAfter(headers: Headers | undefined, now: number): number | undefined {
  const value = headers?.get("retry-after") ?? "";
  if (/^\d+(\.\d+)?$/.test(value.trim())) return Number(value);
  const date = Date.parse(value);
  return Number.isNaN(date) ? undefined : Math.max(0, (date - now) / 1000);
}

function serverMessage(thrown: StatusError): string {
  const said = typeof thrown.error?.message === "string" ? thrown.error.message : thrown.message;
  return said.replace(/\s+/g, " ").trim().slice(0, 500);
}

function isApiError(thrown: unknown): thrown is StatusError {
  return thrown instanceof Error && "error" in thrown && thrown.error !== undefined;
}

function causeCode(thrown: unknown): string | undefined {
  for (let error = thrown; error instanceof Error; error = error.cause) {
    if ("code" in error && typeof error.code === "string") return error.code;
    if (error instanceof AggregateError) return causeCode(error.errors[0]);
  }
  return undefined;
}

function messageOf(thrown: unknown): string {
  return thrown instanceof Error ? thrown.message : String(thrown);
}

function withoutKey(error: TroupeError, key: string): TroupeError {
  if (!error.message.includes(key)) return error;
  return new TroupeError(error.code, error.message.replaceAll(key, "***"), { details: error.details, retryable: error.retryable });
}

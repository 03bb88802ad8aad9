import { type ErrorCode, errorCodes } from "./error-codes.ts";
import type { Problem } from "./problem.ts";

/** What a {@link TroupeError} is made of besides its code and message. */
export interface TroupeErrorOptions {
  /** The error that caused this one, if any. */
  cause?: unknown;
  /** Facts for programs: plain JSON, no secrets. */
  details?: Record<string, unknown>;
  /** Whether the same call may succeed later without any change. Default: what the code table says. */
  retryable?: boolean;
  /** Seconds the other side asked us to wait before trying again. */
  retryAfterSeconds?: number;
  /** Located problems of a file, when the error is about a file. */
  problems?: readonly Problem[];
}

const brand = Symbol.for("troupe.error");

/**
 * The one error base of Troupe: a stable code, and a message that says what, where and what to do.
 *
 * @example
 * throw new TroupeError("model_unreachable", "No model answers on http://127.0.0.1:8000/v1. Start the server, or run `troupe doctor`.");
 */
export class TroupeError extends Error {
  readonly [brand] = true;
  override readonly name = "TroupeError";
  readonly code: ErrorCode;
  readonly details: Record<string, unknown>;
  readonly retryable: boolean;
  readonly retryAfterSeconds: number | undefined;
  readonly problems: readonly Problem[];

  constructor(code: ErrorCode, message: string, options: TroupeErrorOptions = {}) {
    super(message, options.cause === undefined ? undefined : { cause: options.cause });
    this.code = code;
    this.details = options.details ?? {};
    this.retryable = options.retryable ?? errorCodes[code].retryable;
    this.retryAfterSeconds = options.retryAfterSeconds;
    this.problems = options.problems ?? [];
  }

  /** The exit code of the command when this error ends it. */
  get exit(): number {
    return errorCodes[this.code].exit;
  }
}

/**
 * Whether a value is a {@link TroupeError}, also one from another copy of this package.
 *
 * @param code when given, the error must have this code.
 */
export function isTroupeError(value: unknown, code?: ErrorCode): value is TroupeError {
  const branded = typeof value === "object" && value !== null && brand in value;
  return branded && (code === undefined || (value as TroupeError).code === code);
}

/** Turns anything that was thrown into a {@link TroupeError}; foreign errors become `internal`. */
export function toTroupeError(thrown: unknown): TroupeError {
  if (isTroupeError(thrown)) return thrown;
  const message = thrown instanceof Error ? thrown.message : String(thrown);
  return new TroupeError("internal", message, { cause: thrown });
}

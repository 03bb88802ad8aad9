import type { Failure, TroupeError } from "@troupe/schema";

/** An error as the log keeps it. */
export function toFailure({ code, message, retryable }: TroupeError): Failure {
  return { code, message, retryable };
}

import { toTroupeError, TroupeError } from "@troupe/schema";

/**
 * The error of a sandbox that itself fails, with what to do.
 *
 * @param what what happened, as a sentence.
 */
export function sandboxFailed(what: string, cause?: unknown): TroupeError {
  return new TroupeError("sandbox_failed", `${what} Run \`troupe doctor\`: it says what works here.`, { cause, details: { what } });
}

/** What went wrong, for who tries sandboxes out: the doctor need not be told to ask the doctor. */
export function reasonOf(thrown: unknown): string {
  const { details, message } = toTroupeError(thrown);
  return typeof details["what"] === "string" ? details["what"] : message;
}

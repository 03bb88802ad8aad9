import type { ErrorCode, Problem } from "@troupe/schema";
import { createColors } from "picocolors";
import { systemRefusal } from "./system-refusal.ts";
import { plainText } from "./view/terminal-text.ts";

/**
 * An error as the terminal shows it. One of Troupe's is its message and its code, and the located problems of a file stand as they are;
 * a disk that is full and a path that can't be written are the user's; anything else is a fault, and comes with its stack.
 */
export function formatError(thrown: unknown, color = false): string {
  const colors = createColors(color);
  const name = colors.red("troupe:");
  if (!(thrown instanceof Error)) return `${name} ${plainText(String(thrown))}`;
  const code = "code" in thrown && "exit" in thrown && typeof thrown.code === "string" ? thrown.code : "internal";
  const message = plainText(thrown.message);
  const refusal = systemRefusal(thrown);
  if (refusal !== undefined) return `${name} ${message}. ${refusal.help} ${colors.dim(`[${refusal.code}]`)}`;
  if (code === "internal") return `${name} ${faultOf(thrown)}`;
  const problems = errorsOf(thrown);
  if (problems === 0) return `${name} ${message} ${colors.dim(`[${code}]`)}`;
  return `${message}\n${name} ${problems === 1 ? "1 problem" : `${problems} problems`} ${colors.dim(`[${code}]`)}`;
}

/** What the parser of the command line says about a call, in the form of {@link formatError}. */
export function formatWrongCall(message: string, color = false): string {
  const sentence = /[.?!]$/.test(message) ? message : `${message}.`;
  const error = new Error(`${sentence} With --help the command says how it is called.`);
  // Like a TroupeError, whose class would bring every schema along: --help needs none.
  return formatError(Object.assign(error, { code: "call_invalid" satisfies ErrorCode, exit: 2 }), color);
}

/** How many problems of a file stand in the way; warnings are shown with them but not counted. */
function errorsOf(thrown: Error): number {
  if (!("problems" in thrown && Array.isArray(thrown.problems))) return 0;
  return thrown.problems.filter((problem: Partial<Problem>) => problem.severity !== "warning").length;
}

function faultOf(error: Error): string {
  const cause = error.cause instanceof Error ? `\ncaused by ${error.cause.stack ?? error.cause.message}` : "";
  return plainText(`${error.stack ?? error.message}${cause}\nThis is a fault of Troupe or of code it calls. Please report it. [internal]`);
}

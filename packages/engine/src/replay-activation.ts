import { type Activation, type ActivationRunner, type ArtifactRef, type EventOf, type ToolReport, toTroupeError } from "@troupe/schema";
import { nameArtifact } from "./name-artifact.ts";
import { ReplayContext, type ReplayContextParts } from "./replay-context.ts";

/** An activation that was run again. */
export interface ReplayedActivation {
  readonly kind: "activation";
  readonly activation: Activation;
  /** Whether the same artifact came out, byte for byte, by the same calls. */
  readonly same: boolean;
  readonly logged: ArtifactRef;
  /** What came out; nothing when it failed. */
  readonly replayed: ArtifactRef | undefined;
  /** What differs. */
  readonly reason: string | undefined;
  /** Answers taken from the log. */
  readonly answers: number;
  /** Tools used again. */
  readonly tools: number;
}

/** Runs an activation again whose artifact the log has, and compares what comes out. */
export async function replayActivation(
  parts: ReplayContextParts,
  runner: ActivationRunner,
  activation: Activation,
  logged: ArtifactRef,
): Promise<ReplayedActivation> {
  // What can't be read is damage of the log, not a difference.
  parts.store.get(logged);
  const context = new ReplayContext(parts, activation);
  const { replayed, failure } = await runAgain(runner, context);
  const { missed } = context;
  const same = replayed?.hash === logged.hash && missed === undefined;
  const before = parts.recording.attemptOf(activation.id).tools;
  const reason = same ? undefined : reasonOf({ missed, failure, tools: compareTools(before, context.tools) });
  const answers = context.calls - (missed === undefined ? 0 : context.calls - missed);
  return { kind: "activation", activation, same, logged, replayed, reason, answers, tools: context.tools.length };
}

interface Ran {
  readonly replayed?: ArtifactRef;
  readonly failure?: string;
}

async function runAgain(runner: ActivationRunner, context: ReplayContext): Promise<Ran> {
  try {
    return { replayed: nameArtifact(await runner(context)).ref };
  } catch (thrown) {
    context.signal.throwIfAborted();
    const { message, code } = toTroupeError(thrown);
    return { failure: `${message} [${code}]` };
  }
}

function reasonOf({
  missed,
  failure,
  tools,
}: {
  missed: number | undefined;
  failure: string | undefined;
  tools: string | undefined;
}): string {
  const what =
    missed !== undefined
      ? `in call ${missed} it asks its model something that the log has no answer to`
      : failure !== undefined
        ? `it fails: ${failure}`
        : "its artifact has other bytes";
  return tools === undefined ? what : `${what}; ${tools}`;
}

/** The first tool that did something else than in the log. */
function compareTools(before: readonly EventOf<"tool.used">[], now: readonly ToolReport[]): string | undefined {
  const at = now.findIndex((tool, index) => summaryOf(tool) !== summaryOf(before[index]));
  const [then, again] = [before[at], now[at]];
  if (again === undefined) return before.length > now.length ? `${before.length} tools were used, now ${now.length}` : undefined;
  if (then === undefined) return `${before.length} tools were used, now ${now.length} or more`;
  const place = then.sandbox === again.sandbox ? "" : ` in the sandbox ${again.sandbox ?? "none"} instead of ${then.sandbox ?? "none"}`;
  return `${again.tool} gave another result than in the log${endsOf(then, again)}${place}`;
}

function endsOf(then: ToolReport, again: ToolReport): string {
  if (then.exitCode !== again.exitCode) return ` (exit code ${again.exitCode ?? "none"} instead of ${then.exitCode ?? "none"})`;
  return then.ok === again.ok ? "" : ` (${again.ok ? "ok" : "not ok"} instead of ${then.ok ? "ok" : "not ok"})`;
}

function summaryOf(tool: ToolReport | undefined): string {
  return tool === undefined ? "" : JSON.stringify([tool.tool, tool.input, tool.output, tool.ok, tool.exitCode ?? null]);
}

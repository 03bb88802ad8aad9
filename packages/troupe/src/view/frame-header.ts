import type { RunState } from "@troupe/engine";
import type { Outcome } from "@troupe/schema";
import type { Colors } from "./colors.ts";
import { oneLine } from "./terminal-text.ts";
import { count, duration, money, tokensOf } from "./words.ts";

/** What a header is drawn with. */
interface HeaderStyle {
  readonly now: number;
  readonly colors: Colors;
  readonly live: boolean;
}

/** The lines above the tree: which run, what for, how far, and how much of its limits it has used. */
export function frameHeader(state: RunState, { now, colors, live }: HeaderStyle): string[] {
  const { started, outcome } = state;
  if (started === undefined) return [];
  const ended = outcome === undefined ? "" : `  ${outcomeWord(outcome, colors)}`;
  const title = `${colors.bold(oneLine(started.topology))}  ${colors.dim(started.run)}${ended}`;
  const task = oneLine(started.task.prompt.slice(0, 1000));
  return [title, ...(task === "" ? [] : [colors.dim(task)]), [progressOf(state, live), ...spentOf(state, now)].join(" · ")];
}

/** One word for how a run ended, coloured. */
export function outcomeWord({ kind }: Pick<Outcome, "kind">, colors: Colors): string {
  switch (kind) {
    case "completed":
      return colors.green("✓ completed");
    case "failed":
    case "deadlocked":
      return colors.red(`✗ ${kind}`);
    case "exhausted":
    case "cancelled":
      return colors.yellow(`⊘ ${kind}`);
  }
}

function progressOf({ rows, counts, suspendedSince }: RunState, live: boolean): string {
  const ended = counts.done + counts.failed + counts.cancelled;
  const parts = [`${count(ended)} of ${count(rows.length)} done`];
  if (counts.running > 0) parts.push(`${counts.running} ${live ? "running" : "not ended"}`);
  if (counts.failed > 0) parts.push(`${counts.failed} failed`);
  if (suspendedSince !== undefined && live) parts.push("waits for a person");
  return parts.join(", ");
}

function spentOf(state: RunState, now: number): string[] {
  const { usage, limits } = state;
  const spent = [
    share(state.elapsedSeconds(now), limits.seconds, duration),
    `${usage.estimated ? "~" : ""}${share(tokensOf(usage), limits.tokens, count, "token")}`,
    share(usage.calls, limits.calls, count, "call"),
  ];
  if (usage.usd > 0 || limits.usd !== undefined) spent.push(share(usage.usd, limits.usd, money));
  return spent;
}

/** What was used, of what is allowed when there is a limit, and the part of it from one percent upwards. */
function share(used: number, allowed: number | undefined, show: (value: number) => string, noun = ""): string {
  const words = noun === "" ? "" : ` ${noun}${(allowed ?? used) === 1 ? "" : "s"}`;
  if (allowed === undefined) return `${show(used)}${words}`;
  const percent = Math.round((100 * used) / allowed);
  return `${show(used)} of ${show(allowed)}${words}${percent < 1 ? "" : ` (${percent} %)`}`;
}

import type { ActivationRow } from "@troupe/engine";
import { addUsage, noUsage } from "@troupe/schema";
import type { ActivationTexts } from "./activation-texts.ts";
import type { Colors } from "./colors.ts";
import { type Branch, stepName } from "./run-tree.ts";
import { oneLine } from "./terminal-text.ts";
import { count, duration, plural, tokensOf } from "./words.ts";

/** What the lines of a tree are drawn with. */
export interface TreeStyle {
  readonly now: number;
  /** Milliseconds since 1970 when this session began: what runs can't have begun earlier. */
  readonly sessionStartedAt: number;
  readonly texts: Pick<ActivationTexts, "running" | "writing" | "made">;
  readonly colors: Colors;
  /** Whether the run goes on; otherwise what runs is shown as interrupted. */
  readonly live: boolean;
}

const spinner = ["⠋", "⠙", "⠹", "⠸", "⠼", "⠴", "⠦", "⠧", "⠇", "⠏"];

/** One activation as cells: mark and name, agent, tokens, seconds, what it made. */
export function activationCells(row: ActivationRow, name: string, style: TreeStyle): string[] {
  const { activation, state } = row;
  const { colors, texts } = style;
  const attempt = row.attempt > 1 ? ` (attempt ${row.attempt})` : "";
  const cells = [`${markOf(state, style)} ${name}${attempt}`, oneLine(activation.agent ?? activation.kind)];
  switch (state) {
    case "waiting":
    case "ready":
      return cells.map((cell) => colors.dim(cell));
    case "running":
      return [...cells, runningTokens(row, style), duration(runningSeconds(row, style))];
    case "done":
      return [...cells, count(tokensOf(row.usage)), duration(settledSeconds(row, style)), colors.dim(texts.made(activation.id))];
    case "failed":
      return [...cells, count(tokensOf(row.usage)), duration(settledSeconds(row, style)), colors.red(texts.made(activation.id))];
    case "cancelled":
      return [...cells, count(tokensOf(row.usage)), duration(settledSeconds(row, style))].map((cell) => colors.dim(cell));
  }
}

/** A node whose activations have all ended as one line. */
export function foldedCells({ node, rows }: Branch, style: TreeStyle): string[] {
  const failed = rows.find((row) => row.state === "failed") ?? rows.find((row) => row.state === "cancelled");
  const usage = rows.reduce((sum, row) => addUsage(sum, row.usage), noUsage);
  const last = rows.at(-1);
  const first = Math.min(...rows.map((row) => row.beganAt ?? Number.POSITIVE_INFINITY));
  const seconds = Math.max(0, Math.max(...rows.map((row) => row.settledAt ?? 0)) - first) / 1000;
  return [
    `${markOf(failed?.state ?? "done", style)} ${style.colors.bold(node ?? stepName(last?.activation ?? { meta: {}, label: "" }))}`,
    rows.length === 1 ? oneLine(last?.activation.agent ?? "") : plural(rows.length, "activation"),
    count(tokensOf(usage)),
    duration(seconds),
    style.colors.dim(last === undefined ? "" : style.texts.made(last.activation.id)),
  ];
}

/** The mark of a state. */
export function markOf(state: ActivationRow["state"], { colors, now, live }: Pick<TreeStyle, "colors" | "now" | "live">): string {
  switch (state) {
    case "waiting":
      return colors.dim("·");
    case "ready":
      return colors.dim("○");
    case "running":
      return live ? colors.cyan(spinner[Math.floor(now / 100) % spinner.length] ?? "") : colors.yellow("◌");
    case "done":
      return colors.green("✓");
    case "failed":
      return colors.red("✗");
    case "cancelled":
      return colors.yellow("⊘");
  }
}

/** Seconds that a running activation has taken in this session. */
function runningSeconds({ beganAt }: ActivationRow, { now, sessionStartedAt }: Pick<TreeStyle, "now" | "sessionStartedAt">): number {
  return Math.max(0, now - Math.max(beganAt ?? now, sessionStartedAt)) / 1000;
}

/** Seconds that an ended activation took; one that a resume has finished counts from the resume, not over the pause. */
function settledSeconds({ beganAt, settledAt }: ActivationRow, { sessionStartedAt }: Pick<TreeStyle, "sessionStartedAt">): number {
  if (beganAt === undefined || settledAt === undefined) return 0;
  return Math.max(0, settledAt - (settledAt >= sessionStartedAt ? Math.max(beganAt, sessionStartedAt) : beganAt)) / 1000;
}

/** Tokens of settled calls, and an estimate of the text that is being written. */
function runningTokens({ usage, activation }: ActivationRow, { texts }: TreeStyle): string {
  const writing = texts.writing(activation.id);
  return `${writing > 0 ? "~" : ""}${count(tokensOf(usage) + writing)}`;
}

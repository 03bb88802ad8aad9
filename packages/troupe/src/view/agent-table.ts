import type { RunState } from "@troupe/engine";
import type { Usage } from "@troupe/schema";
import type { Colors } from "./colors.ts";
import { formatTable } from "./format-table.ts";
import { oneLine } from "./terminal-text.ts";
import { count, duration, money } from "./words.ts";

/** Calls, tokens, seconds and money of each agent and of all, as lines; empty when no model was asked. */
export function agentTable({ usageByAgent, usage }: Pick<RunState, "usageByAgent" | "usage">, colors: Colors): string[] {
  if (usageByAgent.size === 0) return [];
  const paid = usage.usd > 0;
  const row = (name: string, of: Usage): string[] => [
    name,
    count(of.calls),
    count(of.inputTokens),
    `${of.estimated ? "~" : ""}${count(of.outputTokens)}`,
    duration(of.seconds),
    ...(paid ? [money(of.usd)] : []),
  ];
  const head = ["agent", "calls", "tokens in", "out", "time", ...(paid ? ["cost"] : [])];
  const agents = [...usageByAgent].map(([name, of]) => row(oneLine(name), of));
  const total = usageByAgent.size > 1 ? [row("total", usage)] : [];
  const [first = "", ...rest] = formatTable([head, ...agents, ...total], ["left", "right", "right", "right", "right", "right"]);
  return [colors.dim(first), ...rest];
}

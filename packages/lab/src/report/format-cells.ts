import type { Interval } from "@troupe/tasks";
import { isSoftwareMetric, type Metric } from "./figure-of.ts";

/** A table in Markdown. */
export function table(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const line = (cells: readonly string[]): string => `| ${cells.map((cell) => cell.replaceAll("|", "\\|")).join(" | ")} |`;
  return [line(head), `|${head.map(() => "---").join("|")}|`, ...rows.map(line)].join("\n");
}

/** Digits after the point of a metric's figures. */
export const digitsOf = (metric: Metric): number => (isSoftwareMetric(metric) ? 3 : metric === "tokens" ? 0 : 1);

export const percent = (share: number, digits = 1): string => `${(100 * share).toFixed(digits)} %`;
export const range = ({ low, high }: Interval, show: (value: number) => string): string => `${show(low)} to ${show(high)}`;
export const ratio = (value: number): string => (Number.isFinite(value) ? `${value.toFixed(2)} ×` : "one used none");
export const chance = (p: number): string => (p < 0.0001 ? "< 0.0001" : p.toFixed(4));

/** A figure of a metric: a share in per cent. */
export const figure = (value: number, metric: Metric): string => (metric === "passed" ? percent(value) : value.toFixed(digitsOf(metric)));

/** A difference of a metric with its sign; one of shares in points. */
export function signed(value: number, metric: Metric): string {
  const text = metric === "passed" ? (100 * value).toFixed(1) : value.toFixed(digitsOf(metric));
  // A rounded zero has no sign.
  const plain = Number(text) === 0 ? text.replace("-", "") : text;
  return `${Number(text) > 0 ? "+" : ""}${plain.replace("-", "−")}${metric === "passed" ? " points" : ""}`;
}

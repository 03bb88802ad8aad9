import type { ExperimentFile } from "@troupe/schema";
import type { MeanInterval } from "../statistics/bootstrap-mean.ts";
import type { Estimate } from "../statistics/fit-logistic.ts";
import type { Metric } from "./figure-of.ts";
import { figure, percent, range, ratio, signed, table } from "./format-cells.ts";
import type { ScalingLine, ScalingReport } from "./report-scaling.ts";
import { isKnown, whatFitShows } from "./what-fit-shows.ts";

/** Two tables of points and one of fits. */
export function formatScaling(report: ScalingReport, file: ExperimentFile): string[] {
  return [pointTable(report, file), tokenTable(report, file), fitTable(report, file)];
}

function levelOf({ statistics }: ExperimentFile): string {
  return percent(1 - statistics.alpha, 0);
}

function pointTable({ lines, measure }: ScalingReport, file: ExperimentFile): string {
  const interval = `${levelOf(file)} interval by tasks`;
  const head = ["curve", "size", "runs", measure, interval, "tokens per run", "seconds per run", "bytes of product", "growth"];
  return table(
    head,
    lines.flatMap(({ name, points }) =>
      points.map((point) => [
        name,
        String(point.size),
        `${point.runs}${point.runs > 0 && point.shared ? ` (of ${point.system})` : ""}`,
        ...meanCells(point.quality, measure),
        ...[point.tokens?.toFixed(0), point.seconds?.toFixed(1), point.bytes?.toFixed(0), times(point.growth)].map(orDash),
      ]),
    ),
  );
}

function meanCells(mean: MeanInterval | undefined, measure: Metric): [string, string] {
  if (mean === undefined) return ["–", "–"];
  const show = (value: number): string => figure(value, measure);
  return [show(mean.mean), mean.interval === undefined ? "one task has none" : range(mean.interval, show)];
}

function tokenTable({ lines, measure, reference }: ScalingReport, file: ExperimentFile): string {
  const alone = reference?.tokens;
  const equal = `equal within ${percent(file.statistics.tokenTolerance, 0)}`;
  const difference = `${measure}, this − nearest (${levelOf(file)} interval)`;
  const head = [
    "curve",
    "size",
    ...(reference === undefined ? [] : [`tokens ÷ those of ${reference.system}`]),
    "nearest at tokens",
    equal,
    difference,
  ];
  return table(
    head,
    lines.flatMap(({ name, points }) =>
      points
        .filter(({ runs }) => runs > 0)
        .map(({ size, tokens, nearest }) => [
          ...[name, String(size)],
          ...(reference === undefined ? [] : [orDash(tokens === undefined || !alone ? undefined : times(tokens / alone))]),
          nearest?.system ?? "–",
          nearest === undefined ? "–" : nearest.tokens.equal ? "yes" : `⚠ no (${ratio(nearest.tokens.ratio)})`,
          differenceCell(nearest?.difference, measure),
        ]),
    ),
  );
}

function differenceCell(difference: MeanInterval | undefined, measure: Metric): string {
  if (difference === undefined) return "–";
  const show = (value: number): string => signed(value, measure);
  return `${show(difference.mean)} (${difference.interval === undefined ? "one task has no interval" : range(difference.interval, show)})`;
}

function fitTable({ lines, measure }: ScalingReport, file: ExperimentFile): string {
  const rise = `largest − smallest (${levelOf(file)} interval)`;
  return table(
    ["curve", rise, "α", "β", "γ", "δ", "the fit says"],
    lines.map((line) => {
      const { fit, name, rise: found } = line;
      const parameters = fit.kind === "refused" ? ["–", "–", "–", "–"] : [fit.alpha, fit.beta, fit.gamma, fit.delta].map(estimate);
      const grown = found === undefined ? "–" : `${found.to} − ${found.from}: ${differenceCell(found, measure)}`;
      return [name, grown, ...parameters, wordsOf(line, file, measure)];
    }),
  );
}

function estimate(found: Estimate): string {
  return isKnown(found) ? `${found.value.toFixed(2).replace("-", "−")} ± ${found.standardError.toFixed(2)}` : "not determined";
}

function wordsOf(line: ScalingLine, file: ExperimentFile, measure: Metric): string {
  const shown = whatFitShows(line, file);
  switch (shown.kind) {
    case "nothing":
      return shown.why;
    case "change": {
      const change = signed(Math.abs(shown.by), measure).replace("+", "");
      return `${shown.by > 0 ? "rises" : "falls"} by ${change}, half of it at size ${shown.half.toFixed(1)}`;
    }
  }
}

const times = (value: number | undefined): string | undefined => (value === undefined ? undefined : `${value.toFixed(2)} ×`);
const orDash = (text: string | undefined): string => text ?? "–";

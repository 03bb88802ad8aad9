import type { ExperimentFile } from "@troupe/schema";
import type { MeanInterval } from "../statistics/bootstrap-mean.ts";
import type { Estimate } from "../statistics/fit-logistic.ts";
import { normalQuantile } from "../statistics/normal.ts";
import type { Metric } from "./figure-of.ts";
import { figure, percent, range, ratio, signed, table } from "./format-cells.ts";
import type { ScalingLine, ScalingReport } from "./report-scaling.ts";

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
      return [name, grown, ...parameters, saysOf(line, file, measure)];
    }),
  );
}

function estimate(found: Estimate): string {
  return isKnown(found) ? `${found.value.toFixed(2)} ± ${found.standardError.toFixed(2)}` : "not determined";
}

/** Whether the runs determine a parameter at all: on a plateau of the fit errors are infinite or astronomic. */
function isKnown({ value, standardError }: Estimate): boolean {
  return standardError < 10 * Math.max(1, Math.abs(value));
}

/** From here on 10 to 90 % of a change take less than three quarters of a doubling (4.4 / β): no size lies within it. */
const steepest = 6;

/** What a fit shows, and no more than that. */
function saysOf({ fit, points }: ScalingLine, { statistics }: ExperimentFile, measure: Metric): string {
  if (fit.kind === "refused") return `not fitted: ${fit.sizes} of at least 6 sizes have runs`;
  const { alpha, beta, gamma, delta } = fit;
  if (![gamma, delta].every(isKnown)) return "the runs don't determine a curve";
  if (Math.abs(gamma.value) <= normalQuantile(1 - statistics.alpha / 2) * gamma.standardError) return "neither rise nor fall is shown";
  if (beta.value > steepest) return "the change lies between two neighbouring sizes: α and β are not determined";
  if (![alpha, beta].every(isKnown)) return "the runs don't determine a curve";
  const sizes = points.filter(({ quality }) => quality !== undefined).map(({ size }) => size);
  const half = 2 ** alpha.value;
  if (!(half >= Math.min(...sizes) && half <= Math.max(...sizes))) return "half of the change lies outside the measured sizes";
  const change = signed(Math.abs(gamma.value), measure).replace("+", "");
  return `${gamma.value > 0 ? "rises" : "falls"} by ${change}, half of it at size ${half.toFixed(1)}`;
}

const times = (value: number | undefined): string | undefined => (value === undefined ? undefined : `${value.toFixed(2)} ×`);
const orDash = (text: string | undefined): string => text ?? "–";

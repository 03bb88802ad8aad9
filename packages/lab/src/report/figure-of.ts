import type { TaskRow } from "@troupe/runtime";
import type { ExperimentFile } from "@troupe/schema";
import { type SoftwareMetric, softwareMetricNames } from "@troupe/tasks";

/** What can be reported of a run. */
export type Metric = ExperimentFile["metrics"][number];

/** The metrics that are measured only when an experiment names them. */
export function isSoftwareMetric(metric: Metric): metric is Metric & SoftwareMetric {
  return (softwareMetricNames as readonly string[]).includes(metric);
}

/** What a metric says of one run; undefined when its product was not graded, or the metric could not be measured. */
export function figureOf({ passed, usage, seconds, software }: TaskRow, metric: Metric): number | undefined {
  switch (metric) {
    case "passed":
      return passed === undefined ? undefined : Number(passed);
    case "tokens":
      return usage.inputTokens + usage.outputTokens;
    case "seconds":
      return seconds;
    case "calls":
      return usage.calls;
    default: {
      const measure = software?.[metric];
      return measure?.kind === "measured" ? measure.value : undefined;
    }
  }
}

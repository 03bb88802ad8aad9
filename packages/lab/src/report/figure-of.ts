import type { TaskRow } from "@troupe/runtime";
import type { ExperimentFile } from "@troupe/schema";

/** What can be reported of a run. */
export type Metric = ExperimentFile["metrics"][number];

/** What a metric says of one run; undefined when its product was not graded. */
export function figureOf({ passed, usage, seconds }: TaskRow, metric: Metric): number | undefined {
  switch (metric) {
    case "passed":
      return passed === undefined ? undefined : Number(passed);
    case "tokens":
      return usage.inputTokens + usage.outputTokens;
    case "seconds":
      return seconds;
    case "calls":
      return usage.calls;
  }
}

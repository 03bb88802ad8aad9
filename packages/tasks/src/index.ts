export { asFiles } from "./as-files.ts";
export { type BuiltinSet, builtinSets } from "./builtin-sets.ts";
export { exactMcNemar } from "./exact-mcnemar.ts";
export { type Grade, type GradedTask, type GradeOptions, gradeProduct } from "./grade-product.ts";
export { type LoadTasksOptions, loadTasks } from "./load-tasks.ts";
export { type Comparison, comparePaired, formatPassTable, type GradedProduct, type PassRow, passTable } from "./pass-table.ts";
export { readRegularFile } from "./read-regular-file.ts";
export { sameAnswer } from "./same-answer.ts";
export { type MeasuredTask, type MeasureOptions, measureSoftware } from "./software/measure-software.ts";
export {
  type Measure,
  type SoftwareMetric,
  softwareMetricNames,
  type SoftwareMetrics,
  softwareMetrics,
} from "./software/software-metrics.ts";
export { type Interval, wilson } from "./wilson.ts";

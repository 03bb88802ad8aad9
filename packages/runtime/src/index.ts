export { openModels, openPorts, openRuns, type Ports, type WorldOptions } from "./ports.ts";
export { headerOf, productOf } from "./prepared-run.ts";
export { modelNames, type Project, readProject } from "./project.ts";
export { openResults, type ResultsFile } from "./results-file.ts";
export { type PruneOptions, type PruneReport, pruneRuns, type SparedRun } from "./prune-runs.ts";
export { type ReplayTroupeOptions, replayTroupe } from "./replay-troupe.ts";
export {
  type ResumeTroupeOptions,
  resumeTroupe,
  type RunCompany,
  type RunTroupeOptions,
  runTroupe,
  type TroupeResult,
  type TroupeRun,
  type RunWorld,
} from "./run-troupe.ts";
export { version } from "./version.ts";
export { checkProductFolder, productFiles, writeProduct, writtenFiles } from "./write-product.ts";
export { runTaskSet, type TaskRun, type TaskSetOptions } from "./run-task-set.ts";
export { type TaskRow, taskRow } from "./task-row.ts";
export {
  type FileAccess,
  type LoadedTopology,
  loadTopology,
  nodeFiles,
  readYaml,
  type TopologyMetrics,
  type YamlReading,
} from "@troupe/topology";
export { measureStored } from "./measure-stored.ts";
export { type ActivationRow, foldLog, type RunState } from "@troupe/engine";

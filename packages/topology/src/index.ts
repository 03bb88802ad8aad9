export { compareTopologies, type TopologyChange } from "./compare/compare-topologies.ts";
export { describeChanges } from "./compare/describe-changes.ts";
export { compileTopology } from "./compile/compile-topology.ts";
export type {
  CompiledArrivals,
  CompiledEdge,
  CompiledGraph,
  CompiledNode,
  CompiledSequence,
  CompiledTopology,
  EdgeRule,
  EdgeSplit,
  NodeWork,
} from "./compiled-topology.ts";
export type { Condition, ConditionScope } from "./compile/condition.ts";
export type { TopologyObjects } from "./load/bundle-topology.ts";
export { boundOfCalls, describeTopology } from "./draw/describe-topology.ts";
export { drawTopology, type DrawFormat } from "./draw/draw-topology.ts";
export { type EdgeAttributes, type GraphModel, type NodeAttributes, toGraphology } from "./draw/graph-model.ts";
export { measureTopology, type TopologyMetrics } from "./draw/measure-topology.ts";
export { bundleTopology, parseTopology } from "./load/bundle-topology.ts";
export { type CheckedFile, checkFile } from "./load/check-file.ts";
export { type FileAccess, nodeFiles } from "./load/file-access.ts";
export type { LoadedTopology } from "./load/finish-topology.ts";
export { type LoadOptions, loadTopology } from "./load/load-topology.ts";
export type { YamlFile } from "./yaml/parse-document.ts";
export type { DocumentPath } from "./yaml/place.ts";
export { type YamlReading, readYaml } from "./yaml/read-yaml.ts";

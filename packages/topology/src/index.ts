export { compileTopology } from "./compile/compile-topology.ts";
export type { CompiledEdge, CompiledGraph, CompiledNode, CompiledSequence, CompiledTopology } from "./compiled-topology.ts";
export { bundleTopology, parseTopology } from "./load/bundle-topology.ts";
export { type FileAccess, nodeFiles } from "./load/file-access.ts";
export type { LoadedTopology } from "./load/finish-topology.ts";
export { type LoadOptions, loadTopology } from "./load/load-topology.ts";
export type { YamlFile } from "./yaml/parse-document.ts";
export type { DocumentPath } from "./yaml/place.ts";
export { type YamlReading, readYaml } from "./yaml/read-yaml.ts";

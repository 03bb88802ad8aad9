export {
  createScriptedModel,
  type ModelScript,
  type ScriptedAnswer,
  type ScriptedModel,
  type ScriptedModelOptions,
} from "./scripted-model.ts";
export { createModelClient, type EndpointModelClient, type ModelClientOptions } from "./model-client.ts";
export {
  type DefaultModelsOptions,
  defaultModels,
  type DetectOptions,
  detectLocalEndpoint,
  embeddingModelName,
  usualEndpoints,
} from "./default-models.ts";
export {
  createEmbeddedStarter,
  type EmbeddedStarterOptions,
  startEmbedded,
  type StartEmbeddedOptions,
} from "./embedded/start-embedded.ts";
export { stopEmbedded } from "./embedded/stop-embedded.ts";
export { type ServedModel, serveModel, type ServeModelOptions } from "./embedded/serve-model.ts";
export { availableMemory, checkMemory } from "./embedded/available-memory.ts";
export type { EmbeddedServer, StartEmbedded } from "./embedded/embedded-server.ts";
export {
  type CatalogueModel,
  type DownloadSource,
  type HubSource,
  type HubWeights,
  type PackagesSource,
  type PackageWeights,
  type SourceKind,
  catalogue,
  defaultEmbeddingName,
  defaultModelName,
  findModel,
} from "./store/catalogue.ts";
export type { FreeSpace } from "./store/disk-space.ts";
export { formatBytes } from "./store/format-bytes.ts";
export { formatProgress } from "./store/format-progress.ts";
export { type ModelListing, listModels } from "./store/list-models.ts";
export { modelDir } from "./store/model-dir.ts";
export type { RunProgram } from "./store/pip.ts";
export type { HubTimeouts } from "./store/pull-context.ts";
export { type PullOptions, type PulledModel, pullModel } from "./store/pull-model.ts";
export type { PullProgress } from "./store/pull-progress.ts";
export { type ResolveOptions, resolveModelFile } from "./store/resolve-model-file.ts";

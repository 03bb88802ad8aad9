export {
  createScriptedModel,
  type ModelScript,
  type ScriptedAnswer,
  type ScriptedModel,
  type ScriptedModelOptions,
} from "./scripted-model.ts";
export { createModelClient, type EndpointModelClient, type ModelClientOptions } from "./model-client.ts";
export { type DefaultModelsOptions, defaultModels, type DetectOptions, detectLocalEndpoint, usualEndpoints } from "./default-models.ts";
export type { EmbeddedServer, StartEmbedded } from "./embedded/embedded-server.ts";

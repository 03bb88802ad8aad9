export {
  createScriptedModel,
  type ModelScript,
  type ScriptedAnswer,
  type ScriptedModel,
  type ScriptedModelOptions,
} from "./scripted-model.ts";

export {
  type ActivationKind,
  type ActivationInput,
  type ActivationDraft,
  type Activation,
  type Step,
  type LoggedStep,
  type WaitQuestion,
  activationKind,
  activationInput,
  activationDraft,
  activation,
  loggedStep,
  parentsOf,
  waitQuestion,
} from "./activation.ts";
export { type ToolName, type AgentCard, toolName, agentCard } from "./agent-card.ts";
export {
  type FileEntry,
  type Artifact,
  type ArtifactRef,
  type ArtifactKind,
  type Verdict,
  workspacePath,
  fileEntry,
  artifact,
  artifactRef,
  verdict,
  isWorkspacePath,
  sortFiles,
  canonicalJson,
} from "./artifact.ts";
export { type Clock, systemClock } from "./clock.ts";
export { type Environment, dataDir } from "./data-dir.ts";
export type { ActivationState, RunView, Settled, Director } from "./director.ts";
export { type ErrorCodeRow, type ErrorCode, errorCodes } from "./error-codes.ts";
export { type TroupeErrorOptions, TroupeError, isTroupeError, toTroupeError } from "./error.ts";
export {
  type Notice,
  type EventBody,
  type RunEvent,
  type EventOf,
  type LiveDelta,
  type WatchedEvent,
  notice,
  eventBody,
  runEvent,
} from "./event.ts";
export {
  type ExperimentFile,
  type ExperimentSplit,
  type ExperimentSystem,
  type TopologyOverrides,
  experimentFile,
  experimentSplit,
  experimentSystem,
  topologyOverrides,
} from "./experiment-file.ts";
export { namesLike } from "./names-like.ts";
export { type SystemVariant, type VariedField, type VariedValues, variantsOf, variedFields } from "./variation.ts";
export { findPlaceholders } from "./find-placeholders.ts";
export { lackedInput, showsCrash } from "./shows-crash.ts";
export { type Human, type HumanQuestion, humanMissing } from "./human.ts";
export { type SchemaName, publicSchemas, toJsonSchema } from "./json-schema.ts";
export { type Limits, type SpendingLimits, limits, mergeLimits } from "./limits.ts";
export {
  type ToolCall,
  type ChatMessage,
  type ToolSpec,
  type ChatRequest,
  type ChatAnswer,
  type ModelInfo,
  type ChatOptions,
  type EmbedRequest,
  type EmbedAnswer,
  type ModelClient,
  toolCall,
  chatMessage,
  chatAnswer,
} from "./model-client.ts";
export { type Failure, type Outcome, type RunResult, failure, outcome, runResult } from "./outcome.ts";
export { type Problem, formatProblem } from "./problem.ts";
export { type Profile, type ProfileChoice, type ProfilePool, profile, profileChoice, profilePool } from "./profile-pool.ts";
export {
  type Price,
  type EndpointModel,
  type EmbeddedModel,
  type ModelEntry,
  type ProjectFile,
  endpointModel,
  embeddedModel,
  modelEntry,
  projectFile,
} from "./project-file.ts";
export { type Random, createRandom } from "./random.ts";
export { type RunHolder, type RunLeases, leaseMilliseconds, leaseUntil, runHeld, runLost } from "./run-lease.ts";
export { type CompactedStore, type RemovedRuns, type RunRetention, runPruned } from "./run-retention.ts";
export type { AppendGuard, Damaged, LogPart, RunSummary, RunStore } from "./run-store.ts";
export type { ToolReport, ActivationContext, ActivationRunner } from "./runner.ts";
export { type SandboxLimits, type SandboxJob, type SandboxResult, type Sandbox, defaultSandboxLimits } from "./sandbox.ts";
export {
  type Language,
  type Command,
  type ExampleCall,
  type PublicTask,
  type Grader,
  type Task,
  language,
  command,
  publicTask,
  grader,
  task,
  entryOf,
  toPublicTask,
} from "./task.ts";
export {
  type Shape,
  type NodeEntry,
  type EdgeEntry,
  type InlineGraph,
  type VoteWork,
  type HumanWork,
  type SplitBy,
  maxNodes,
  shape,
} from "./graph-parts.ts";
export {
  type TopologyFile,
  type TopologyDefaults,
  type TopologyBundle,
  topologyDefaults,
  topologyFile,
  topologyBundle,
} from "./topology-file.ts";
export { answerKey, answersIn, letterOf, numberOf, optionOf, plainAnswer } from "./normal-answer.ts";
export { isNewerVersion, troupeVersion } from "./troupe-version.ts";
export { type Usage, usage, noUsage, addUsage } from "./usage.ts";

export { type AgentRunnerOptions, createAgentRunner } from "./create-agent-runner.ts";
export { createWaitRunner, type WaitRunnerOptions } from "./create-wait-runner.ts";
export { createScoreRunner, type ScoreRunnerOptions } from "./create-score-runner.ts";
export type { FilesQuestion } from "./answer/files-question.ts";
export { type FilesReading, readFiles } from "./answer/read-files.ts";
export { checkProduct, type CheckProductOptions, type ProductCheck } from "./checks/check-product.ts";
export type { Check } from "./checks/check-tree.ts";
export { generateProfiles, type ProfileBatch, type ProfileWish } from "./profiles/generate-profiles.ts";

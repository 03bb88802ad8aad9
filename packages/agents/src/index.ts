export { type AgentRunnerOptions, createAgentRunner } from "./create-agent-runner.ts";
export type { FilesQuestion } from "./answer/files-question.ts";
export { type FilesReading, readFiles } from "./answer/read-files.ts";

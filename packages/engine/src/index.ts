export { type ActivationRow, isSettled } from "./activation-table.ts";
export type { EngineRun } from "./engine-run.ts";
export { type ExecuteRunOptions, type RunOptions, executeRun } from "./execute-run.ts";
export { createMemoryStore, createNullStore } from "./memory-store.ts";
export { type ResumeRunOptions, resumeRun } from "./resume-run.ts";
export { type RunState, callKey, createRunState, foldLog } from "./run-state.ts";
export type { RunHeader } from "./run-view.ts";
export { type VirtualClock, createVirtualClock } from "./virtual-clock.ts";

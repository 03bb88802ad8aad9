export {
  type ResumeTroupeOptions,
  resumeTroupe,
  type RunTroupeOptions,
  runTroupe,
  type TroupeResult,
  type TroupeRun,
  type RunWorld,
} from "@troupe/runtime";
export {
  type Artifact,
  isTroupeError,
  type Outcome,
  type RunEvent,
  type Task,
  TroupeError,
  type Usage,
  type WatchedEvent,
} from "@troupe/schema";

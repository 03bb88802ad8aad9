export {
  type ResumeTroupeOptions,
  resumeTroupe,
  type RunCompany,
  type RunTroupeOptions,
  runTroupe,
  type TroupeResult,
  type TroupeRun,
  type RunWorld,
} from "@troupe/runtime";
export {
  type Artifact,
  type Human,
  type HumanQuestion,
  isTroupeError,
  type Outcome,
  type RunEvent,
  type Task,
  TroupeError,
  type Usage,
  type WatchedEvent,
} from "@troupe/schema";

import type { Clock, Environment } from "@troupe/schema";
import type { CatalogueModel } from "./catalogue.ts";
import type { RunProgram } from "./pip.ts";
import type { ProgressStep } from "./pull-progress.ts";

/** What a download source works with. */
export interface PullContext {
  readonly model: CatalogueModel;
  /** Where the file goes in the end; other files are put beside it. */
  readonly target: string;
  readonly env: Environment;
  readonly signal: AbortSignal;
  readonly clock: Clock;
  readonly fetch: typeof fetch;
  readonly runProgram: RunProgram;
  readonly timeouts: HubTimeouts;
  readonly report: (step: ProgressStep) => void;
}

/** How long the hub may be silent, in milliseconds. */
export interface HubTimeouts {
  /** Until the first byte of an answer; default 8000. */
  readonly connect: number;
  /** Between two pieces of the file; default 30000. */
  readonly stall: number;
}

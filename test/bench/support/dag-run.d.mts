import type { executeRun } from "@troupe/engine";
import type { ActivationContext, Artifact, Clock, RunResult, RunStore } from "@troupe/schema";

export type PreparedDag = { readonly parents: readonly (readonly number[])[] };
export interface DagRunOptions {
  readonly store: RunStore;
  readonly work: (node: number, context: ActivationContext) => Promise<Artifact>;
  readonly parallel?: number;
  readonly stepwise?: boolean;
  readonly run?: string;
  readonly clock?: Clock;
}
export declare function prepareDag(parents: readonly (readonly number[])[], priorities?: readonly number[]): PreparedDag;
export declare function runDag(
  engine: { readonly executeRun: typeof executeRun },
  dag: PreparedDag,
  options: DagRunOptions,
): Promise<RunResult>;

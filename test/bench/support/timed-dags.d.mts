export interface TimedDag {
  readonly parents: readonly (readonly number[])[];
  readonly times: readonly number[];
  readonly critical: number;
  readonly work: number;
}
export declare function timedDags(count: number, options?: { medianMilliseconds?: number; rounded?: boolean }): TimedDag[];
export declare function slotsAt(load: number, dag: TimedDag): number;
export declare function knowingMakespan(dag: TimedDag, slots: number): number;

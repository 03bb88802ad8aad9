type Dag = readonly (readonly number[])[];

export declare function heights(parents: Dag, times?: readonly number[]): number[];
export declare function listSchedule(parents: Dag, times: readonly number[], slots: number, ahead: readonly number[]): number;

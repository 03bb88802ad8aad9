export { createDirector } from "./create-director.ts";
export { FixedDirector } from "./fixed-director.ts";
export { GraphDirector } from "./graph-director.ts";
export { type Merge, mergeTree } from "./merge-tree.ts";

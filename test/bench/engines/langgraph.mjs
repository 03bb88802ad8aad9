import { langGraph } from "./langgraph-graph.mjs";

/** Without a checkpointer: nothing is kept. */
export function build(parents, work) {
  return { run: langGraph(parents, work) };
}

import { loadPeer } from "../peers/load-peer.mjs";
import { childrenOf } from "../support/shapes.mjs";

const { Annotation, END, START, StateGraph } = await loadPeer("@langchain/langgraph");

/**
 * A DAG as a LangGraph graph, in the form that costs it least: the state is one counter, joins are edges from a list.
 *
 * @returns what runs it once, each time as a thread of its own.
 */
export function langGraph(parents, work, checkpointer) {
  const State = Annotation.Root({ done: Annotation({ reducer: (a, b) => a + b, default: () => 0 }) });
  const graph = new StateGraph(State);
  const idOf = (node) => `n${node}`;
  const children = childrenOf(parents);
  for (const node of parents.keys()) {
    graph.addNode(idOf(node), async () => {
      await work(node);
      return { done: 1 };
    });
  }
  for (const [node, list] of parents.entries()) {
    if (list.length < 2) graph.addEdge(list.length === 0 ? START : idOf(list[0]), idOf(node));
    else graph.addEdge(list.map(idOf), idOf(node));
    if (children[node].length === 0) graph.addEdge(idOf(node), END);
  }
  const app = graph.compile(checkpointer === undefined ? {} : { checkpointer });
  let threads = 0;
  return async () => {
    const config = { recursionLimit: parents.length + 10, configurable: { thread_id: String(threads++) } };
    const { done } = await app.invoke({ done: 0 }, config);
    if (done !== parents.length) throw new Error(`LangGraph.js says that ${done} of ${parents.length} nodes ran.`);
  };
}

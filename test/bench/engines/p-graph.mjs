import { loadPeer } from "../peers/load-peer.mjs";

const { PGraph } = await loadPeer("p-graph");

export function build(parents, work) {
  // It takes an id of 0 for none.
  const idOf = (node) => `n${node}`;
  const nodes = new Map(parents.map((_, node) => [idOf(node), { run: () => work(node) }]));
  const graph = new PGraph(
    nodes,
    parents.flatMap((list, node) => list.map((parent) => [idOf(parent), idOf(node)])),
  );
  return { run: () => graph.run() };
}

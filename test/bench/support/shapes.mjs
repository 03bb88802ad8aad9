import { createRandom } from "./random.mjs";

/** The parents of each node, which come before it, by shape. Every engine is measured on these very lists. */
export const shapes = { chain, fan, layered, diamond, random: randomDag, bipartite };

/** N in a row. */
function chain(n) {
  return Array.from({ length: n }, (_, i) => (i === 0 ? [] : [i - 1]));
}

/** 1 → N − 2 → 1. */
function fan(n) {
  return Array.from({ length: n }, (_, i) => (i === 0 ? [] : i === n - 1 ? range(1, n - 1) : [0]));
}

/** √N layers of √N; each node has two parents in the layer before. */
function layered(n) {
  const width = Math.floor(Math.sqrt(n));
  return Array.from({ length: n }, (_, i) => (i < width ? [] : [i - width, i - (i % width) - width + ((i + 1) % width)]));
}

/** A ladder of diamonds: one, two, one, two, … */
function diamond(n) {
  return Array.from({ length: n }, (_, i) => (i === 0 ? [] : i % 3 === 0 ? [i - 2, i - 1] : [i - (i % 3)]));
}

/** Each pair of nodes is an edge with probability 2 / N; by skipping to the next edge, so that the work grows with the edges. */
export function randomDag(n, seed = 1) {
  const random = createRandom(seed);
  const none = Math.log(1 - Math.min(0.999, 2 / n));
  const skip = () => 1 + Math.floor(Math.log(1 - random()) / none);
  return Array.from({ length: n }, (_, i) => {
    const parents = [];
    for (let parent = skip() - 1; parent < i; parent += skip()) parents.push(parent);
    return parents;
  });
}

/** All of one side to all of the other: halves up to 1000 nodes, else ten to the rest, so that the edges fit into memory. */
function bipartite(n, left = n <= 1000 ? n >> 1 : 10) {
  const sources = range(0, left);
  return Array.from({ length: n }, (_, i) => (i < left ? [] : [...sources]));
}

/** The same with ten sources at every size, so that edges grow as nodes do and time can be compared over sizes. */
export function narrowBipartite(n) {
  return bipartite(n, 10);
}

/** The children of each node. */
export function childrenOf(parents) {
  const children = parents.map(() => []);
  for (const [node, list] of parents.entries()) for (const parent of list) children[parent].push(node);
  return children;
}

function range(from, to) {
  return Array.from({ length: to - from }, (_, i) => from + i);
}

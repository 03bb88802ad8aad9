import { childrenOf } from "./shapes.mjs";

/** When the last node of a DAG ends if nothing ever waits for a slot: the sums are made as a clock makes them, so they compare exactly. */
export function criticalPath(parents, times) {
  const ends = [];
  for (const [node, list] of parents.entries()) ends.push(list.reduce((latest, parent) => Math.max(latest, ends[parent]), 0) + times[node]);
  return ends.reduce((latest, end) => Math.max(latest, end), 0);
}

/** The longest path from each node to a sink: in edges, or with times in time, the node's own included. */
export function heights(parents, times) {
  const heightOf = new Array(parents.length).fill(0);
  for (let node = parents.length - 1; node >= 0; node--) {
    if (times !== undefined) heightOf[node] += times[node];
    for (const parent of parents[node]) heightOf[parent] = Math.max(heightOf[parent], heightOf[node] + (times === undefined ? 1 : 0));
  }
  return heightOf;
}

/**
 * List scheduling: whenever a slot is free, the ready node with the most ahead of it begins; of equals the first in the list.
 *
 * @param ahead what stands ahead of each node; `heights(parents, times)` is a scheduler that knows all times before they pass.
 * @returns the time at which the last node ends.
 */
export function listSchedule(parents, times, slots, ahead) {
  const children = childrenOf(parents);
  const missing = parents.map((list) => list.length);
  const ready = parents.flatMap((list, node) => (list.length === 0 ? [node] : []));
  const running = [];
  let now = 0;
  while (ready.length > 0 || running.length > 0) {
    ready.sort((a, b) => ahead[b] - ahead[a] || a - b);
    for (const node of ready.splice(0, slots - running.length)) running.push({ node, end: now + times[node] });
    running.sort((a, b) => b.end - a.end);
    const { node, end } = running.pop();
    now = end;
    for (const child of children[node]) if (--missing[child] === 0) ready.push(child);
  }
  return now;
}

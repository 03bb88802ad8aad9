import { readdir } from "node:fs/promises";
import { fileURLToPath } from "node:url";
import { expect, it } from "vitest";
import { loadTopology } from "./load-topology.ts";

const folder = fileURLToPath(new URL("../../../../topologies/", import.meta.url));
const names = (await readdir(folder)).filter((name) => name.endsWith(".yaml"));
const { signal } = new AbortController();

it("loadTopology() has an example for each shape, for written nodes and for the single agent", () => {
  for (const name of ["review-chain", "chain", "star", "tree", "mesh", "layer", "random", "software", "single"]) {
    expect(names).toContain(`${name}.yaml`);
  }
});

it.each(names)("loadTopology() loads the example %s without problem or warning", async (name) => {
  const { graph, warnings } = await loadTopology(`${folder}${name}`, { signal });
  expect(warnings).toEqual([]);
  expect(`${graph.name}.yaml`).toBe(name);
  expect(graph.bound).toBeLessThan(40);
});

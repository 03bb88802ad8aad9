// In a process of its own: what a compiled mesh holds. See memory.mjs.

import { answer, question } from "../support/fresh-process.mjs";
import { bytesInUse, peakMegabytes } from "../support/measuring.mjs";
import { meshBundle } from "../support/mesh.mjs";
import { loadPackage } from "../support/packages.mjs";

const { nodes } = question();
const { bundleTopology } = await loadPackage("topology");
bundleTopology(meshBundle(10));
const before = bytesInUse();
const began = performance.now();
const { graph } = bundleTopology(meshBundle(nodes));
const seconds = (performance.now() - began) / 1000;
const megabytes = (bytesInUse() - before) / 2 ** 20;
const edges = graph.outStart[nodes];
if (edges !== (nodes * (nodes - 1)) / 2) throw new Error(`The mesh has ${edges} edges.`);
answer({ megabytes, seconds, edges, peak: peakMegabytes() });

// In a process of its own: what runs leave in memory behind. See memory.mjs.

import { prepareDag, runDag } from "../support/dag-run.mjs";
import { answer, question } from "../support/fresh-process.mjs";
import { bytesInUse } from "../support/measuring.mjs";
import { loadPackage } from "../support/packages.mjs";
import { shapes } from "../support/shapes.mjs";

const { runs, n } = question();
const engine = await loadPackage("engine");
const dag = prepareDag(shapes.layered(n));
const work = async (node, { signal }) => {
  if (signal.aborted) throw signal.reason;
  return { kind: "text", text: `done ${node}` };
};
const once = () => runDag(engine, dag, { store: engine.createMemoryStore(), work });

for (let i = 0; i < runs; i++) await once();
const before = bytesInUse();
for (let i = 0; i < runs; i++) await once();
answer({ bytes: (bytesInUse() - before) / runs });

import { prepareDag, runDag } from "../support/dag-run.mjs";
import { loadPackage } from "../support/packages.mjs";

const engine = await loadPackage("engine");
const text = { kind: "text", text: "done" };

/** Without a log: nothing is kept. A director grows the graph step by step, which is part of each run. */
export function build(parents, work) {
  const dag = prepareDag(parents);
  const act = async (node) => {
    await work(node);
    return text;
  };
  return { run: () => runDag(engine, dag, { store: engine.createNullStore(), work: act }) };
}

import { join } from "node:path";
import { prepareDag, runDag } from "../support/dag-run.mjs";
import { loadPackage } from "../support/packages.mjs";

const engine = await loadPackage("engine");
const { openStore } = await loadPackage("store");

/** Every event and every artifact is in the database; no two artifacts are alike. */
export function build(parents, work, { folder }) {
  const dag = prepareDag(parents);
  const store = openStore(join(folder, "troupe.db"));
  let runs = 0;
  const run = () => {
    const number = runs++;
    const act = async (node) => {
      await work(node);
      return { kind: "text", text: `done ${number} ${node}` };
    };
    return runDag(engine, dag, { store, work: act, run: `bench-${number}` });
  };
  return { run, close: () => store.close() };
}

// In a process of its own: how many bytes the log of a run has for each byte of its payload. See memory.mjs.

import { mkdtempSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { prepareDag, runDag } from "../support/dag-run.mjs";
import { answer, question } from "../support/fresh-process.mjs";
import { loadPackage } from "../support/packages.mjs";
import { createRandom } from "../support/random.mjs";
import { shapes } from "../support/shapes.mjs";

const { sizes, of, payload } = question();
const engine = await loadPackage("engine");
const { openStore } = await loadPackage("store");
const folder = mkdtempSync(join(tmpdir(), "troupe-bench-"));
const random = createRandom(1);
/** Printable, and without what JSON has to escape: characters that hardly compress. */
const characters = Array.from({ length: 94 }, (_, i) => String.fromCharCode(33 + i)).filter((character) => !'"\\'.includes(character));

try {
  const empty = await bytesOf("empty", async () => undefined);
  const ratios = [];
  for (const n of sizes) {
    for (const shape of of) {
      const dag = prepareDag(shapes[shape](n));
      const work = async () => ({ kind: "text", text: randomText() });
      const bytes = await bytesOf(`${shape}-${n}`, (store) => runDag(engine, dag, { store, work }));
      ratios.push({ n, shape, ratio: (bytes - empty) / (n * payload) });
    }
  }
  answer(ratios);
} finally {
  rmSync(folder, { recursive: true, force: true });
}

function randomText() {
  let text = "";
  for (let i = 0; i < payload; i++) text += characters[Math.floor(random() * characters.length)];
  return text;
}

/** Bytes of a database, once it is closed, with what the act has put into it. */
async function bytesOf(name, act) {
  const path = join(folder, `${name}.db`);
  const store = openStore(path);
  await act(store);
  store.close();
  return statSync(path).size;
}

// Cost per activation with agents that do nothing when every event and artifact goes to SQLite, against a bare loop that inserts the
// same rows in the same number of commits: `node test/bench/persisted.mjs [--quick] [--json]`, after `npm run build`. Each figure is
// the median processor time of several runs in one warm process; in brackets the ratio to the loop, whose bar is 2.5.
// --packages FOLDER measures another build.

import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { headerOf, prepareDag, runDag } from "./support/dag-run.mjs";
import { quick } from "./support/options.mjs";
import { loadPackage, loadSqlite } from "./support/packages.mjs";
import { processorMicros } from "./support/measuring.mjs";
import { createReport } from "./support/report.mjs";
import { shapes } from "./support/shapes.mjs";
import { median } from "./support/statistics.mjs";

const Sqlite = loadSqlite();
const engine = await loadPackage("engine");
const { openStore } = await loadPackage("store");

const folder = mkdtempSync(join(tmpdir(), "troupe-bench-"));
const of = ["chain", "fan", "layered"];
const sizes = quick ? [2000] : [1000, 10_000];
const repeats = quick ? 5 : 15;
const most = 2.5;
const report = createReport("persisted");

let count = 0;
/** A persisted run: its cost per activation, where its rows are, and how many events each commit had. */
async function persisted(dag) {
  const path = join(folder, `${count++}.db`);
  const store = openStore(path);
  // As in the loop, the files are there and open before the clock starts.
  store.append("first", [headerOf("first", {})], 0);
  const commits = [];
  const watched = {
    ...store,
    append: (...words) => {
      commits.push(words[1].length);
      return store.append(...words);
    },
  };
  const work = async (_node, { activation }) => ({ kind: "text", text: `done ${activation.id}` });
  const cost = (await processorMicros(() => runDag(engine, dag, { store: watched, work }))) / dag.parents.length;
  store.close();
  return { cost, path, commits };
}

/** The same rows in the same commits, by a bare loop. */
async function bare({ path, commits }, activations) {
  const source = new Sqlite(path);
  const events = source.prepare("SELECT run, seq, at, kind, body FROM events WHERE run = 2 ORDER BY seq").raw().all();
  const artifacts = source.prepare("SELECT hash, kind, bytes, encoding, body FROM artifacts").raw().all();
  source.close();
  const copy = join(folder, `${count++}.db`);
  openStore(copy).close();
  const db = new Sqlite(copy);
  db.pragma("journal_mode = WAL");
  db.pragma("synchronous = NORMAL");
  db.prepare("INSERT INTO runs (id, name, topology, task, started_at, events) VALUES (2, 'bench', '', '', 0, 0)").run();
  const insertEvent = db.prepare("INSERT INTO events (run, seq, at, kind, body) VALUES (?, ?, ?, ?, ?)");
  const insertArtifact = db.prepare("INSERT INTO artifacts (hash, kind, bytes, encoding, body) VALUES (?, ?, ?, ?, ?)");
  let next = 0;
  let artifact = 0;
  const commit = db.transaction((length) => {
    for (let i = 0; i < length; i++) {
      const event = events[next++];
      insertEvent.run(...event);
      if (event[3] === "activation.settled") insertArtifact.run(...artifacts[artifact++]);
    }
  }).immediate;
  const cost = (await processorMicros(() => commits.forEach((length) => void commit(length)))) / activations;
  db.close();
  return cost;
}

async function measure(shape, n) {
  const dag = prepareDag(shapes[shape](n));
  // One after the other, so that neither collects the other's garbage.
  const runs = [];
  for (let i = 0; i < (n > 2000 ? 5 : repeats); i++) runs.push(await persisted(dag));
  const yards = [];
  for (const run of runs) yards.push(await bare(run, n));
  const micros = median(runs.map(({ cost }) => cost));
  const ratio = micros / median(yards);
  report.note(`${shape.padEnd(8)} ${n}: ${micros.toFixed(1)} µs (${ratio.toFixed(2)})`);
  report.row({
    what: `cost per activation, persisted, ${shape} of ${n} ÷ a bare loop that inserts the same rows`,
    figure: `${ratio.toFixed(2)} (${micros.toFixed(1)} µs; n = ${runs.length})`,
    bar: `≤ ${most}`,
    met: ratio <= most,
  });
}

try {
  // What is measured is the warm program: the compiler takes some dozens of runs.
  for (let i = 0; i < 15; i++) for (const shape of of) await bare(await persisted(prepareDag(shapes[shape](500))), 500);
  for (const shape of of) for (const n of sizes) await measure(shape, n);
} finally {
  rmSync(folder, { recursive: true, force: true });
}
report.end();

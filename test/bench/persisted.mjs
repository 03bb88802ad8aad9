// Cost per activation with no-op agents when every event and artifact goes to SQLite, against a bare loop that inserts the same rows
// in the same number of commits: `node test/bench/persisted.mjs`, after `npm run build`. Each figure is the median CPU time of several
// runs in one warm process; in brackets the ratio to the loop, whose bar is 2.5. --quick measures once, with fewer activations;
// --packages FOLDER measures another build.
import { mkdtempSync, rmSync } from "node:fs";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { pathToFileURL } from "node:url";

const quick = process.argv.includes("--quick");
const folderFlag = process.argv.indexOf("--packages");
const packages = folderFlag === -1 ? join(import.meta.dirname, "../../packages") : resolve(process.argv[folderFlag + 1]);
// The same copy that the store uses.
const Sqlite = createRequire(join(packages, "store/package.json"))("better-sqlite3");
const load = (name) => import(pathToFileURL(join(packages, name, "dist/index.js")).href);
const { executeRun } = await load("engine");
const { openStore } = await load("store");

const folder = mkdtempSync(join(tmpdir(), "troupe-bench-"));
const sizes = quick ? [2000] : [1000, 10_000];
const repeats = quick ? 7 : 15;

/** Parents of each node, by shape. */
const shapes = {
  chain: (n) => Array.from({ length: n }, (_, i) => (i === 0 ? [] : [i - 1])),
  fan: (n) => Array.from({ length: n }, (_, i) => (i === 0 ? [] : i === n - 1 ? Array.from({ length: n - 2 }, (_, j) => j + 1) : [0])),
  layered: (n) => {
    const width = Math.floor(Math.sqrt(n));
    return Array.from({ length: n }, (_, i) => (i < width ? [] : [i - width, i - (i % width) - width + ((i + 1) % width)]));
  },
};

/** Starts each node when its parents are done. */
function director(parents) {
  const missing = parents.map((list) => list.length);
  const children = parents.map(() => []);
  parents.forEach((list, i) => {
    for (const parent of list) children[parent].push(i);
  });
  const nodeOf = [];
  const idOf = [];
  let done = 0;
  const start = (nodes, view) => {
    nodes.forEach((node, index) => {
      nodeOf[view.nextId + index] = node;
      idOf[node] = view.nextId + index;
    });
    const draft = (node) => ({ kind: "act", label: "node", inputs: parents[node].map((parent) => ({ name: "in", from: idOf[parent] })) });
    return nodes.length === 0 ? {} : { start: nodes.map(draft) };
  };
  return {
    start: (view) =>
      start(
        [...parents.keys()].filter((i) => missing[i] === 0),
        view,
      ),
    settled: ({ activation, artifact }, view) => {
      if (++done === parents.length) return { finish: { kind: "completed", artifact } };
      return start(
        children[nodeOf[activation]].filter((child) => --missing[child] === 0),
        view,
      );
    },
    notice: () => ({}),
    idle: () => ({ deadlocked: [] }),
    best: () => undefined,
  };
}

const models = {
  chat: () => Promise.reject(new Error("no model")),
  info: () => Promise.reject(new Error("no model")),
  estimate: () => ({ tokens: 0, usd: 0 }),
  close: () => Promise.resolve(),
};
const ref = { hash: "0".repeat(64), kind: "text", bytes: 0 };
const task = { id: "t", prompt: "p", output: "text", language: "python", files: [], tests: [] };
const about = { topology: "bench", bundle: ref, task, taskRef: ref, seed: 1, agents: {}, version: "0" };

function cpuSince(began) {
  const { user, system } = process.cpuUsage(began);
  return user + system;
}

let count = 0;
/** A persisted run: its cost per activation, where its rows are, and how many events each commit had. */
async function persisted(parents) {
  const path = join(folder, `${count++}.db`);
  const store = openStore(path);
  // As in the loop, the files are there and open before the clock starts.
  store.append("first", [{ kind: "run.started", run: "first", ...about, limits: {} }], 0);
  const commits = [];
  const watched = {
    ...store,
    append: (...words) => {
      commits.push(words[1].length);
      return store.append(...words);
    },
  };
  const act = async ({ activation }) => ({ kind: "text", text: `done ${activation.id}` });
  const header = { kind: "run.started", run: "bench", ...about, limits: { parallel: 10_000 } };
  const options = { run: "bench", header, director: director(parents), models, runners: { act }, store: watched };
  const began = process.cpuUsage();
  const { outcome } = await executeRun({ ...options, signal: new AbortController().signal }).result;
  const cost = cpuSince(began) / parents.length;
  if (outcome.kind !== "completed") throw new Error(`wrong run: ${JSON.stringify(outcome)}`);
  store.close();
  return { cost, path, commits };
}

/** The same rows in the same commits, by a bare loop. */
function bare({ path, commits }, activations) {
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
  const began = process.cpuUsage();
  const commit = db.transaction((length) => {
    for (let i = 0; i < length; i++) {
      const event = events[next++];
      insertEvent.run(...event);
      if (event[3] === "activation.settled") insertArtifact.run(...artifacts[artifact++]);
    }
  }).immediate;
  for (const length of commits) commit(length);
  const cost = cpuSince(began) / activations;
  db.close();
  return cost;
}

const median = (values) => values.sort((a, b) => a - b)[values.length >> 1];

try {
  // What is measured is the warm program: the compiler takes some dozens of runs.
  for (let i = 0; i < 15; i++) for (const make of Object.values(shapes)) bare(await persisted(make(500)), 500);
  for (const [name, make] of Object.entries(shapes)) {
    const columns = [];
    for (const n of sizes) {
      const parents = make(n);
      // One after the other, so that neither collects the other's garbage.
      const runs = [];
      for (let i = 0; i < (n > 2000 ? 5 : repeats); i++) runs.push(await persisted(parents));
      const costs = runs.map(({ cost }) => cost);
      const yards = runs.map((run) => bare(run, n));
      columns.push(`${n}: ${median(costs).toFixed(1)} µs (${(median(costs) / median(yards)).toFixed(2)})`);
    }
    console.log(name.padEnd(8), columns.join("   "));
  }
} finally {
  rmSync(folder, { recursive: true, force: true });
}

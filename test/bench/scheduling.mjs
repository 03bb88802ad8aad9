// Scheduling cost per activation with no-op agents and no log: `node test/bench/scheduling.mjs`, after `npm run build`.
// With --memory the log is kept in memory. Each figure is the median CPU time of several runs in one warm process, garbage
// collection included, so that other work on the machine disturbs little; in brackets, its ratio to bare promises.
import { createMemoryStore, createNullStore, executeRun } from "../../packages/engine/dist/index.js";

const durable = process.argv.includes("--memory");
const text = { kind: "text", text: "done" };
const ref = { hash: "0".repeat(64), kind: "text", bytes: 0 };
const parallel = 10_000;

/** Parents of each node, by shape. */
const shapes = {
  chain: (n) => Array.from({ length: n }, (_, i) => (i === 0 ? [] : [i - 1])),
  fan: (n) => Array.from({ length: n }, (_, i) => (i === 0 ? [] : i === n - 1 ? range(1, n - 1) : [0])),
  layered: (n) => {
    const width = Math.floor(Math.sqrt(n));
    return Array.from({ length: n }, (_, i) => (i < width ? [] : [i - width, i - (i % width) - width + ((i + 1) % width)]));
  },
};

function range(from, to) {
  return Array.from({ length: to - from }, (_, i) => from + i);
}

/** Starts everything at once and finishes when all is done, or, step by step, each node when its parents are done. */
function director(parents, stepwise) {
  const n = parents.length;
  const draft = (i) => ({ kind: "act", label: "node", inputs: parents[i].map((from) => ({ name: "in", from })) });
  const missing = parents.map((list) => list.length);
  const children = parents.map(() => []);
  parents.forEach((list, i) => {
    for (const parent of list) children[parent].push(i);
  });
  const nodeOf = [];
  const idOf = [];
  let done = 0;
  const start = (nodes, view) => {
    const first = view.nextId;
    nodes.forEach((node, index) => {
      nodeOf[first + index] = node;
      idOf[node] = first + index;
    });
    return nodes.length === 0
      ? {}
      : { start: nodes.map((i) => ({ kind: "act", label: "node", inputs: parents[i].map((p) => ({ name: "in", from: idOf[p] })) })) };
  };
  return {
    start: (view) =>
      stepwise
        ? start(
            range(0, n).filter((i) => missing[i] === 0),
            view,
          )
        : { start: parents.map((_, i) => draft(i)) },
    settled: ({ activation, artifact }, view) => {
      if (++done === n) return { finish: { kind: "completed", artifact } };
      return stepwise
        ? start(
            children[nodeOf[activation]].filter((child) => --missing[child] === 0),
            view,
          )
        : {};
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

function header(run) {
  const task = { id: "t", prompt: "p", output: "text", language: "python", files: [], tests: [] };
  const limits = { parallel };
  return { kind: "run.started", run, topology: "bench", bundle: ref, task, taskRef: ref, seed: 1, limits, agents: {}, version: "0" };
}

async function once(parents, stepwise) {
  const counts = new Uint8Array(parents.length);
  const act = async ({ activation }) => {
    counts[activation.id]++;
    return text;
  };
  const options = { run: "bench", header: header("bench"), director: director(parents, stepwise), models, runners: { act } };
  const store = durable ? createMemoryStore() : createNullStore();
  const began = process.cpuUsage();
  const { outcome } = await executeRun({ ...options, store, signal: new AbortController().signal }).result;
  const { user, system } = process.cpuUsage(began);
  if (outcome.kind !== "completed" || counts.some((count) => count !== 1)) throw new Error(`wrong run: ${JSON.stringify(outcome)}`);
  return (user + system) / parents.length;
}

/** The same work by bare promises, as the yardstick of this machine and this moment. */
async function bare(parents) {
  const began = process.cpuUsage();
  const ran = [];
  const work = async () => text;
  for (const list of parents) ran.push(Promise.all(list.map((i) => ran[i])).then(work));
  await Promise.all(ran);
  const { user, system } = process.cpuUsage(began);
  return (user + system) / parents.length;
}

function median(values) {
  return values.sort((a, b) => a - b)[values.length >> 1];
}

// A forced collection between runs would throw away what the compiler has learnt, so there is none, but a warm-up.
for (let i = 0; i < 40; i++)
  for (const stepwise of [false, true]) for (const make of Object.values(shapes)) await once(make(1e3), stepwise);

for (const stepwise of [false, true]) {
  for (const [name, make] of Object.entries(shapes)) {
    const row = [];
    for (const n of [1e3, 1e4, 1e5]) {
      const parents = make(n);
      const times = [];
      const repeats = n === 1e3 ? 50 : n === 1e4 ? 10 : 5;
      const yard = [];
      for (let i = 0; i < repeats; i++) {
        times.push(await once(parents, stepwise));
        yard.push(await bare(parents));
      }
      row.push({ micros: median(times), ratio: median(times) / median(yard) });
    }
    const growth = 1 + Math.log(row[2].micros / row[0].micros) / Math.log(100);
    const columns = row.map(({ micros, ratio }) => `${micros.toFixed(2).padStart(6)} µs (${ratio.toFixed(1)})`).join("  ");
    console.log(`${(stepwise ? "step by step " : "all at once ") + name}`.padEnd(22), columns, ` N^${growth.toFixed(2)}`);
  }
}

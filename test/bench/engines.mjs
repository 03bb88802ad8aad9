// Troupe against other engines on the same DAGs with agents that do nothing: `node test/bench/engines.mjs [--quick] [--json]`, after
// `npm run build`. Each engine, shape and size has fresh processes: one asserts that every node runs once and after its parents, one
// measures. Figures are per activation; those compared are processor time, so that other work on the machine disturbs little.
// --engine NAME, --shape NAME and --size N choose; NAME is a file of test/bench/engines. --quick measures two shapes of 1000.

import { installPeers, peerVersions } from "./peers/install-peers.mjs";
import { inFreshProcess } from "./support/fresh-process.mjs";
import { option, quick } from "./support/options.mjs";
import { createReport } from "./support/report.mjs";
import { shapes } from "./support/shapes.mjs";

const engines = {
  "bare-promises": { name: "bare promises" },
  counters: { name: "in-degree counters" },
  "p-graph": { name: "p-graph", peer: true },
  troupe: { name: "Troupe, in memory" },
  "troupe-sqlite": { name: "Troupe, durable (SQLite)" },
  // Its time and the bytes of its checkpoints grow with the square of the nodes: a fan of 10,000 takes minutes.
  langgraph: { name: "LangGraph.js, in memory", peer: true, most: 1000 },
  "langgraph-sqlite": { name: "LangGraph.js, durable (SQLite)", peer: true, most: 1000 },
};
/** Shapes, warm runs at most, seconds for them (one is made in any case), and seconds that a process may take, by size. */
const efforts = quick
  ? { 1000: { of: ["fan", "layered"], runs: 100, seconds: 2.5, limit: 60 } }
  : {
      10: { of: Object.keys(shapes), runs: 2000, seconds: 10, limit: 120 },
      1000: { of: Object.keys(shapes), runs: 50, seconds: 15, limit: 300 },
      100000: { of: Object.keys(shapes), runs: 5, seconds: 30, limit: 300 },
    };
const pairs = [
  ["in memory", "troupe", "langgraph"],
  ["durable on SQLite", "troupe-sqlite", "langgraph-sqlite"],
];
const least = 100;

const report = createReport("engines");
const chosen = (names, flag) => names.filter((name) => option(flag) === undefined || name === option(flag));
const missing = installPeers();
if (missing !== undefined) report.note(`The engines to compare with could not be installed, so they are left out:\n${missing}\n`);
const present = chosen(Object.keys(engines), "engine").filter((engine) => missing === undefined || !engines[engine].peer);
const sizes = Object.keys(efforts)
  .map(Number)
  .filter((n) => option("size") === undefined || n === Number(option("size")));

/** Figures by size, shape and engine. */
const measured = new Map();
if (quick) for (const engine of present) await check(engine, Object.keys(shapes), 10, 30);
for (const n of sizes) {
  for (const shape of chosen(efforts[n].of, "shape")) {
    for (const engine of present.filter((name) => n <= (engines[name].most ?? n))) {
      const figures = await measure(engine, shape, n);
      measured.set(`${n} ${shape} ${engine}`, figures);
      report.note(`${String(n).padStart(6)} ${shape.padEnd(9)} ${engines[engine].name.padEnd(30)} ${describe(figures)}`);
    }
  }
}
for (const pair of pairs) reportPair(...pair);
for (const n of sizes) reportSize(n);
report.end();

/** Asserts that an engine runs these shapes right. @returns `late` when it took too long. */
async function check(engine, of, n, limit) {
  const { wrong, late } = await inFreshProcess("engines/measure.mjs", { engine, purpose: "check", of, n }, { seconds: limit });
  if (wrong?.length > 0) throw new Error(`${engines[engine].name} runs ${n} activations wrong: ${wrong.join("; ")}`);
  return late;
}

/** The figures of one engine on one DAG, once it was seen to run it right. */
async function measure(engine, shape, n) {
  const { runs, seconds, limit } = efforts[n];
  const late = await check(engine, [shape], n, limit);
  if (late !== undefined) return { late };
  return inFreshProcess("engines/measure.mjs", { engine, purpose: "measure", of: [shape], n, runs, seconds }, { seconds: limit });
}

function describe({ late, warm, p95, runs }) {
  return late === undefined ? `${micros(warm)} µs, p95 ${micros(p95)} µs (n = ${runs})` : `not within ${late} s`;
}

/** How much more one engine costs than another on the same DAG; a lower bound where it did not end in time. */
function ratio(n, shape, dear, cheap) {
  const [much, little] = [dear, cheap].map((engine) => measured.get(`${n} ${shape} ${engine}`));
  if (much === undefined || little?.cpu === undefined) return undefined;
  return { shape, value: (much.cpu ?? (much.late * 1e6) / n) / little.cpu, isBound: much.cpu === undefined };
}

/** The shape on which the other engine comes nearest decides. */
function reportPair(what, ours, theirs) {
  const n = Math.max(...sizes.filter((size) => size <= engines[theirs].most));
  const ratios = Object.keys(shapes).flatMap((shape) => ratio(n, shape, theirs, ours) ?? []);
  const row = { what: `overhead of LangGraph.js ÷ that of Troupe, both ${what}, N = ${n}`, bar: `≥ ${least}` };
  if (ratios.length === 0) return report.row({ ...row, figure: "not measured", ...(missing === undefined ? {} : { met: false }) });
  ratios.sort((a, b) => a.value - b.value);
  const words = ratios.map(({ shape, value, isBound }) => `${shape} ${isBound ? "> " : ""}${value.toFixed(0)}`);
  report.row({ ...row, figure: words.join(", "), met: ratios[0].value >= least });
}

function reportSize(n) {
  const names = Object.keys(engines).filter((engine) => Object.keys(shapes).some((shape) => measured.has(`${n} ${shape} ${engine}`)));
  report.section({
    title: `N = ${n}: times the cost of bare promises`,
    about: `processor time per activation of warm runs. ${versionWords()}`,
    head: ["engine", ...Object.keys(shapes)],
    rows: names.map((engine) => [engines[engine].name, ...Object.keys(shapes).map((shape) => ratioWords(n, shape, engine))]),
  });
  report.section({
    title: `N = ${n}: each engine`,
    about: "microseconds per activation by the clock, processor time of warm runs, and the most memory that the process held.",
    head: ["engine", "shape", "build", "first run", "warm, median", "warm, p95", "processor", "peak, MiB", "warm runs"],
    rows: names.flatMap((engine) => Object.keys(shapes).flatMap((shape) => rowOf(n, shape, engine))),
  });
}

function ratioWords(n, shape, engine) {
  const found = ratio(n, shape, engine, "bare-promises");
  if (found === undefined) return "";
  return `${found.isBound ? "> " : ""}${found.value < 10 ? found.value.toFixed(1) : found.value.toFixed(0)}`;
}

function rowOf(n, shape, engine) {
  const figures = measured.get(`${n} ${shape} ${engine}`);
  if (figures === undefined) return [];
  const { late, build, first, warm, p95, cpu, peak, runs } = figures;
  const numbers =
    late === undefined ? [...[build, first, warm, p95, cpu].map(micros), peak.toFixed(0), runs] : [`> ${late} s`, "", "", "", "", "", 0];
  return [[engines[engine].name, shape, ...numbers]];
}

function micros(value) {
  return value < 100 ? value.toPrecision(2) : value.toFixed(0);
}

function versionWords() {
  const versions = Object.entries(peerVersions()).map(([peer, version]) => `${peer} ${version}`);
  return `Node ${process.versions.node}; ${versions.join(", ")}.`;
}

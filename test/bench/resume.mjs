// Seconds from the call that resumes a run of 10,000 activations to its first new activation: `node test/bench/resume.mjs`, after
// `npm run build`. The run is a mesh with a critic on every edge and a model that answers at once, interrupted near its end and kept in
// SQLite; each resume is in a fresh process on a copy of the database. The bar is 1 s. --quick takes a fifth of the activations once.
import { spawn, spawnSync } from "node:child_process";
import { copyFileSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { createReport } from "./support/report.mjs";

const load = (name) => import(pathToFileURL(join(import.meta.dirname, "../../packages", name, "dist/index.js")).href);
const card = (kind) => ({ agent: 1, name: kind, kind, instructions: `You are the ${kind}. ${"Work with care. ".repeat(20)}` });
const cards = { actor: card("actor"), critic: card("critic"), aggregator: card("aggregator") };

/** A mesh in which every critic wants one change: about 3.3 activations an edge. */
function meshOf(size) {
  const defaults = { actor: "actor", critic: "critic", aggregator: "aggregator", rounds: 1 };
  return { file: { troupe: 1, name: "resume", shape: { kind: "mesh", size }, defaults, limits: { parallel: 8 } }, cards };
}

/** Answers at once, and differently each time. */
function createModel() {
  let answers = 0;
  const text = ({ messages }) => `${messages[0].content.includes("critic") ? "REVISE: say more" : "a line of text"} ${answers++}`;
  const usage = { calls: 1, inputTokens: 300, outputTokens: 20, usd: 0, seconds: 0.1, estimated: false };
  return {
    chat: async (request) => ({ text: text(request), toolCalls: [], finish: "stop", usage, endpoint: "scripted" }),
    info: async () => ({ contextTokens: 8192, tools: "text" }),
    estimate: () => ({ tokens: 1000, usd: 0 }),
    close: async () => undefined,
  };
}

async function openWorld(db) {
  const { openStore } = await load("store");
  const sandbox = { name: "none", strength: "none", run: () => Promise.reject(new Error("Nothing runs programs here.")) };
  const project = { root: tmpdir(), path: undefined, file: {} };
  return { project, models: createModel(), modelNames: undefined, sandbox, store: openStore(db), close: async () => undefined };
}

/** Makes the run, and stops it once so many activations are done. */
async function record(db, size, activations) {
  const { runTroupe } = await load("runtime");
  const ports = await openWorld(db);
  const stop = new AbortController();
  const task = { prompt: "Write a line.", output: "text" };
  const run = runTroupe({ topology: meshOf(size), task, ports, seed: 1 }, { signal: stop.signal });
  let done = 0;
  for await (const event of run) if (event.kind === "activation.settled" && ++done === activations) stop.abort();
  const { outcome } = await run.result;
  if (outcome.kind !== "cancelled") throw new Error(`The run is too small: ${JSON.stringify(outcome)}`);
  ports.store.close();
}

/** In a fresh process: opens the world, then resumes and waits for the first activation that begins. */
async function resume(db) {
  const { resumeTroupe } = await load("runtime");
  const ports = await openWorld(db);
  const stop = new AbortController();
  const began = performance.now();
  const cpu = process.cpuUsage();
  const run = resumeTroupe({ run: "last", ports }, { signal: stop.signal });
  for await (const event of run) {
    if (event.kind !== "activation.began") continue;
    const { user, system } = process.cpuUsage(cpu);
    process.stdout.write(JSON.stringify({ seconds: (performance.now() - began) / 1000, cpu: (user + system) / 1e6, seq: event.seq }));
    break;
  }
  stop.abort();
  await run.result;
  ports.store.close();
}

/** Seconds from the start of `troupe resume` to its first new activation; the model that the activation would ask is not there. */
async function measureCommand(db, folder) {
  copyFileSync(db, join(folder, "runs.db"));
  const models = { default: { endpoints: ["http://127.0.0.1:9/v1"], model: "none", tools: "text" } };
  writeFileSync(join(folder, "troupe.yaml"), JSON.stringify({ models, db: "runs.db" }));
  const command = join(import.meta.dirname, "../../packages/troupe/bin/troupe.mjs");
  const began = performance.now();
  const words = [command, "resume", "last", "--json", "--out", "made"];
  const child = spawn(process.execPath, words, { cwd: folder, stdio: ["ignore", "pipe", "inherit"] });
  let seen = "";
  for await (const text of child.stdout.setEncoding("utf8")) {
    seen += text;
    if (seen.includes('"activation.began"')) break;
  }
  const seconds = (performance.now() - began) / 1000;
  child.kill("SIGKILL");
  return seconds;
}

function measure(db, copy) {
  copyFileSync(db, copy);
  const { stdout, stderr, status } = spawnSync(process.execPath, [fileURLToPath(import.meta.url), "--resume", copy], { encoding: "utf8" });
  if (status !== 0) throw new Error(stderr);
  return JSON.parse(stdout);
}

async function main() {
  const quick = process.argv.includes("--quick");
  const activations = quick ? 2000 : 10_000;
  const folder = mkdtempSync(join(tmpdir(), "troupe-bench-"));
  try {
    const db = join(folder, "runs.db");
    await record(db, quick ? 40 : 80, activations);
    const measured = Array.from({ length: quick ? 1 : 5 }, (_, i) => measure(db, join(folder, `${i}.db`)));
    const median = (name) => measured.map((one) => one[name]).sort((a, b) => a - b)[measured.length >> 1];
    const [seconds, cpu] = [median("seconds"), median("cpu")];
    const report = createReport("resume");
    report.row({
      what: `resume of a run of ${activations} activations (${median("seq")} events) until the first new one`,
      figure: `${seconds.toFixed(2)} s (${cpu.toFixed(2)} s of processor; n = ${measured.length})`,
      bar: "≤ 1 s",
      met: seconds <= 1,
    });
    report.row({ what: "the same by `troupe resume`, from its start", figure: `${(await measureCommand(db, folder)).toFixed(2)} s` });
    report.end();
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

const resumed = process.argv.indexOf("--resume");
if (resumed === -1) await main();
else await resume(process.argv[resumed + 1]);

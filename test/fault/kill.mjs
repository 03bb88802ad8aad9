// Kills runs with SIGKILL at random points and resumes them in new processes until they end, then checks that nothing was lost and
// nothing was done or paid for twice: `npm run fault -- --kills 500 [--seed N] [--json]`, after `npm run build`.
// --at POINT kills only there. --break answers|calls|activations gives the sessions a store that forgets them, to see that the checks notice.
import { fork } from "node:child_process";
import { once } from "node:events";
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { createRandom } from "@troupe/schema";
import { openStore } from "@troupe/store";
import { checkRun, endOf } from "./check-run.mjs";
import { scenes } from "./scene.mjs";

/** Where a session can die: at any time, or at a certain one of these points. */
const points = {
  time: "at any time",
  statement: "after a statement of SQL",
  append: "before an append",
  committed: "after an append",
  delta: "while an answer streams",
  answered: "after an answer, before it is logged",
};
/** Seconds after which a session hangs. */
const patience = 60;

const words = readWords();
const folder = mkdtempSync(join(tmpdir(), "troupe-fault-"));
const random = createRandom(words.seed, "kills");
const totals = { runs: 0, kills: 0, wrongEnds: 0, activationsTwice: 0, answersTwice: 0, uncountedCalls: 0, halfStreamed: 0 };
const killsAt = Object.fromEntries(Object.keys(points).map((point) => [point, 0]));
const began = performance.now();
let waiting = startWorker();

try {
  const references = [];
  for (const scene of scenes.keys()) references.push(await runUnkilled(scene));
  while (totals.kills < words.kills) await runKilled(references);
} finally {
  waiting.worker.kill("SIGKILL");
}
const isRight = totals.wrongEnds + totals.activationsTwice + totals.answersTwice + totals.uncountedCalls === 0;
const isKept = !isRight && words.break === undefined;
if (!isKept) rmSync(folder, { recursive: true });
report();
process.exitCode = isRight ? 0 : 1;

function readWords() {
  const text = { type: "string" };
  const { values } = parseArgs({ options: { kills: text, seed: text, at: text, break: text, json: { type: "boolean", default: false } } });
  const kills = Number(values.kills ?? 100);
  const seed = Number(values.seed ?? 1);
  if (!(Number.isInteger(kills) && kills > 0 && Number.isInteger(seed) && (values.at ?? "time") in points)) {
    const at = Object.keys(points).join("|");
    process.stderr.write(`How to call it: npm run fault -- --kills 500 [--seed N] [--at ${at}] [--json]\n`);
    process.exit(2);
  }
  return { ...values, kills, seed };
}

/** A process that has loaded everything and waits for its order; one is always made ahead. */
function startWorker() {
  const worker = fork(join(import.meta.dirname, "worker.mjs"), { stdio: ["ignore", "inherit", "inherit", "ipc"] });
  return { worker, ready: once(worker, "message") };
}

/** One session. Resolves to how it ended: `killed`, or what the worker says at its end. */
async function runSession(order) {
  const { worker, ready } = waiting;
  waiting = startWorker();
  await ready;
  let last;
  worker.on("message", (message) => {
    last = message;
  });
  const exited = once(worker, "exit");
  worker.send(order);
  const isTimed = order.kill?.point === "time";
  let hung = false;
  const timer = setTimeout(
    () => {
      hung = !isTimed;
      worker.kill("SIGKILL");
    },
    isTimed ? order.kill.count : patience * 1000,
  );
  const [, signal] = await exited;
  clearTimeout(timer);
  if (hung) throw new Error(`A session hung for ${patience} s in ${order.db}.`);
  if (last?.kind === "failed") throw new Error(`A session failed in ${order.db}: ${last.error}`);
  return signal === "SIGKILL" ? "killed" : last;
}

function newRun(scene, seed) {
  const home = join(folder, String(totals.runs), String(seed));
  mkdirSync(home, { recursive: true });
  return { home, order: { scene, seed, db: join(home, "runs.db"), calls: join(home, "calls.jsonl"), break: words.break } };
}

/** What a run that nobody kills gives: its end, and how long and how many points there are to kill at. */
async function runUnkilled(scene) {
  const { home, order } = newRun(scene, `unkilled-${scene}`);
  const { milliseconds, passed } = await runSession({ ...order, seed: scene });
  const expected = endOf(readLog(order.db));
  rmSync(home, { recursive: true });
  return { expected, most: { time: Math.ceil(milliseconds), ...passed } };
}

async function runKilled(references) {
  const scene = totals.runs % scenes.length;
  const { expected, most } = references[scene];
  const { home, order } = newRun(scene, random.integer(2 ** 31));
  let left = Math.min(2 + random.integer(7), words.kills - totals.kills);
  for (;;) {
    const kill = left > 0 ? choosePoint(most) : undefined;
    if ((await runSession({ ...order, kill })) !== "killed") break;
    left--;
    totals.kills++;
    killsAt[kill.point]++;
  }
  totals.runs++;
  const found = checkRun(readLog(order.db), readCalls(order.calls), expected);
  for (const [name, count] of Object.entries(found)) totals[name] += count;
  const { halfStreamed: _, ...faults } = found;
  if (Object.values(faults).some((count) => count > 0)) process.stderr.write(`${home}: ${JSON.stringify(faults)}\n`);
  else rmSync(home, { recursive: true });
}

/** Half of the kills at any time, the others at a certain point; within the first half of the work, so that there is some left. */
function choosePoint(most) {
  const names = Object.keys(points).slice(1);
  const point = words.at ?? (random.next() < 0.5 ? "time" : names[random.integer(names.length)]);
  return { point, count: 1 + random.integer(Math.ceil(most[point] / 2)) };
}

function readLog(path) {
  const store = openStore(path);
  try {
    return store.events("run");
  } finally {
    store.close();
  }
}

function readCalls(path) {
  if (!existsSync(path)) return [];
  const lines = readFileSync(path, "utf8").trimEnd();
  return lines === "" ? [] : lines.split("\n").map((line) => JSON.parse(line));
}

function report() {
  const seconds = Number(((performance.now() - began) / 1000).toFixed(1));
  if (words.json) {
    process.stdout.write(`${JSON.stringify({ ...totals, killsAt, seconds, seed: words.seed })}\n`);
    return;
  }
  const rows = [
    ["kills", totals.kills],
    ...Object.entries(points).map(([point, what]) => [`  ${what}`, killsAt[point]]),
    ["runs", totals.runs],
    ["runs that ended wrong", totals.wrongEnds],
    ["activations twice", totals.activationsTwice],
    ["answers paid twice", totals.answersTwice],
    ["calls not counted", totals.uncountedCalls],
    ["half-streamed answers, all counted as spent", totals.halfStreamed],
    ["seconds", seconds],
  ];
  const width = Math.max(...rows.map(([name]) => name.length));
  for (const [name, value] of rows) process.stdout.write(`${name.padEnd(width)}  ${String(value).padStart(6)}\n`);
  if (isKept) process.stderr.write(`Kept for looking into: ${folder}\n`);
}

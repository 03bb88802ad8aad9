// In a process of its own: asserts that an engine runs a DAG as it must, or measures it. See engines.mjs.

import { mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { answer, question } from "../support/fresh-process.mjs";
import { bytesInUse, peakMegabytes } from "../support/measuring.mjs";
import { shapes } from "../support/shapes.mjs";
import { median, quantile } from "../support/statistics.mjs";

const { engine, of, n, purpose, runs, seconds } = question();
const { build } = await import(`./${engine}.mjs`);
const folder = mkdtempSync(join(tmpdir(), "troupe-bench-"));

try {
  answer(purpose === "check" ? { wrong: (await Promise.all(of.map(check))).flat() } : await measure(shapes[of[0]](n)));
} finally {
  rmSync(folder, { recursive: true, force: true });
}

/** Every node begins once, after all its parents have ended; says what is wrong. */
async function check(shape) {
  const parents = shapes[shape](n);
  const begun = new Uint8Array(n);
  const ended = new Uint8Array(n);
  const wrong = [];
  const work = async (node) => {
    if (++begun[node] !== 1) wrong.push(`${shape}: node ${node} ran twice`);
    const early = parents[node].find((parent) => ended[parent] === 0);
    if (early !== undefined) wrong.push(`${shape}: node ${node} began before its parent ${early} had ended`);
    await null;
    ended[node] = 1;
  };
  const place = join(folder, shape);
  mkdirSync(place);
  const { run, close } = build(parents, work, { folder: place });
  await run();
  close?.();
  const missed = ended.indexOf(0);
  if (missed !== -1) wrong.push(`${shape}: node ${missed} did not run`);
  return wrong.slice(0, 5);
}

async function measure(parents) {
  let ran = 0;
  const work = async () => {
    ran++;
  };
  const before = bytesInUse();
  const built = await timed(() => build(parents, work, { folder }));
  const { run, close } = built.result;
  const first = await timed(run);
  const warm = [];
  // At least one warm run, however long it takes. By processor time, so that a busy machine warms up as much as an idle one.
  for (let spent = 0; warm.length < runs && (warm.length === 0 || spent < seconds * 1e6); spent += warm.at(-1).cpu * n) {
    warm.push(await timed(run));
  }
  if (ran !== (warm.length + 1) * n) throw new Error(`${ran} instead of ${(warm.length + 1) * n} nodes ran.`);
  const heap = bytesInUse() - before;
  close?.();
  const walls = warm.map(({ wall }) => wall);
  return {
    build: built.wall,
    first: first.wall,
    warm: median(walls),
    p95: quantile(walls, 0.95),
    cpu: median(warm.map(({ cpu }) => cpu)),
    runs: warm.length,
    peak: peakMegabytes(),
    heap,
  };
}

/** Microseconds a node, by the wall and by the processor. */
async function timed(act) {
  const cpu = process.cpuUsage();
  const began = performance.now();
  const result = await act();
  const wall = ((performance.now() - began) * 1000) / n;
  const { user, system } = process.cpuUsage(cpu);
  return { result, wall, cpu: (user + system) / n };
}

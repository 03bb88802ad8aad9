// What runs and topologies hold, each in a process of its own with forced collections: `node test/bench/memory.mjs [--quick] [--json]`,
// after `npm run build`. Activations in flight at once; a compiled mesh; a mesh of 64 with a critic on each edge, run from beginning to
// end with every event in the database; bytes of a log for each byte of its payload; growth over many runs.

import { inFreshProcess } from "./support/fresh-process.mjs";
import { quick } from "./support/options.mjs";
import { createReport } from "./support/report.mjs";

const inFlight = quick ? 30_000 : 100_000;
const meshNodes = 1400;
const wholeMesh = quick ? 32 : 64;
const logSizes = quick ? [10, 100, 1000] : [10, 100, 1000, 10_000];
const runs = quick ? 300 : 1000;
const report = createReport("memory");

const flight = await ask("memory/in-flight.mjs", { n: inFlight });
report.row({
  what: `memory of an activation in flight, ${inFlight} at once`,
  figure: `${(flight.bytes / 1024).toFixed(2)} KiB`,
  bar: "≤ 2.5 KB",
  met: flight.bytes <= 2500,
});

const mesh = await ask("memory/compiled-mesh.mjs", { nodes: meshNodes });
report.row({
  what: `memory of a compiled mesh of ${meshNodes} nodes with critics (${mesh.edges} edges)`,
  figure: `${mesh.megabytes.toFixed(1)} MiB, in ${mesh.seconds.toFixed(1)} s`,
  bar: "≤ 100 MB",
  met: mesh.megabytes * 2 ** 20 <= 1e8,
});

const whole = await ask("memory/whole-mesh.mjs", { nodes: wholeMesh });
report.row({
  what: `whole persisted run of a mesh of ${wholeMesh}: ${(wholeMesh * (wholeMesh - 1)) / 2} critics, ${whole.activations} activations`,
  figure: `${whole.seconds.toFixed(1)} s (${whole.processor.toFixed(1)} s of processor, ${(whole.bytes / 1e6).toFixed(1)} MB of log)`,
});

const logs = await ask("memory/log-bytes.mjs", { sizes: logSizes, of: ["chain", "fan"], payload: 1024 });
const worst = logs.reduce((most, log) => (log.ratio > most.ratio ? log : most));
report.row({
  what: `(log bytes − empty log) ÷ payload bytes, payloads of 1 KB, ${logSizes[0]} to ${logSizes.at(-1)} activations`,
  figure: `${worst.ratio.toFixed(2)} at most (${worst.shape} of ${worst.n})`,
  bar: "≤ 3",
  met: worst.ratio <= 3,
});
report.section({
  title: "Bytes of a log",
  about: "(log bytes − empty log) ÷ payload bytes; payloads are 1 KB of random printable characters.",
  head: ["activations", "shape", "ratio"],
  rows: logs.map(({ n, shape, ratio }) => [n, shape, ratio.toFixed(2)]),
});

const many = await ask("memory/many-runs.mjs", { runs, n: 20 });
report.row({
  what: `growth of the heap over ${runs} runs after as many`,
  figure: `${many.bytes.toFixed(0)} bytes a run`,
  bar: "< 1 KB",
  met: many.bytes < 1000,
});
report.end();

async function ask(script, asked) {
  const answer = await inFreshProcess(script, asked);
  if (answer.late !== undefined) throw new Error(`${script} did not end within ${answer.late} s.`);
  report.note(`${script.slice("memory/".length, -".mjs".length).padEnd(14)} ${JSON.stringify(answer)}`);
  return answer;
}

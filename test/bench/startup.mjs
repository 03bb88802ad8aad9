// How long `troupe --help` takes against the bare start of Node, in turns, so that a noisy machine hits both alike.
// Bar: at most 1.5 × `node -e 0` plus 150 ms (the smallest of each is compared).

import { spawnSync } from "node:child_process";
import { fileURLToPath } from "node:url";
import { quick } from "./support/options.mjs";
import { createReport } from "./support/report.mjs";
import { median } from "./support/statistics.mjs";

const troupe = fileURLToPath(new URL("../../packages/troupe/bin/troupe.mjs", import.meta.url));
const rounds = quick ? 5 : 20;
const calls = { node: ["-e", "0"], help: [troupe, "--help"], "run --help": [troupe, "run", "--help"] };
const times = Object.fromEntries(Object.keys(calls).map((name) => [name, []]));

for (let round = 0; round < rounds; round++) {
  for (const [name, args] of Object.entries(calls)) {
    const started = process.hrtime.bigint();
    const { status } = spawnSync(process.execPath, args, { stdio: "ignore" });
    if (status !== 0) throw new Error(`${name} ended with ${status}`);
    times[name].push(Number(process.hrtime.bigint() - started) / 1e6);
  }
}

const least = Object.fromEntries(Object.entries(times).map(([name, list]) => [name, Math.min(...list)]));
const bar = 1.5 * least.node + 150;
const report = createReport("startup");
for (const [name, list] of Object.entries(times)) {
  report.note(`${name.padEnd(12)} least ${least[name].toFixed(0).padStart(5)} ms, median ${median(list).toFixed(0).padStart(5)} ms`);
}
report.row({
  what: "`troupe --help`, the least time",
  figure: `${least.help.toFixed(0)} ms (bare Node ${least.node.toFixed(0)} ms; n = ${rounds})`,
  bar: `≤ 1.5 × bare Node + 150 ms = ${bar.toFixed(0)} ms`,
  met: least.help <= bar,
});
report.end();

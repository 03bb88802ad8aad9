// How soon a run of 10,000 activations goes on after an interruption: `node test/bench/resume.mjs [--quick] [--json]`, after
// `npm run build`. From opening the database until the first new activation begins, in a fresh process. Bar: 1 s.

import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { inFreshProcess } from "./support/fresh-process.mjs";
import { quick } from "./support/options.mjs";
import { createReport } from "./support/report.mjs";
import { median } from "./support/statistics.mjs";

const activations = 10_000;
const repeats = quick ? 1 : 5;
const report = createReport("resume");
const folder = mkdtempSync(join(tmpdir(), "troupe-bench-"));

try {
  for (const shape of quick ? ["layered"] : ["chain", "fan", "layered"]) await measure(shape);
} finally {
  rmSync(folder, { recursive: true, force: true });
}
report.end();

async function measure(shape) {
  const seconds = [];
  for (let i = 0; i < repeats; i++) {
    const asked = { path: join(folder, `${shape}-${i}.db`), shape, nodes: activations * 2, after: activations };
    const { ran } = await inFreshProcess("resume/make-run.mjs", asked);
    const answer = await inFreshProcess("resume/resume-run.mjs", asked);
    report.note(
      `${shape.padEnd(8)} after ${ran} activations: ${answer.seconds.toFixed(2)} s (${answer.processor.toFixed(2)} s of processor)`,
    );
    seconds.push(answer.seconds);
  }
  report.row({
    what: `resume of a run of ${activations} activations (${shape}) until the first new one`,
    figure: `${median(seconds).toFixed(2)} s (n = ${repeats})`,
    bar: "≤ 1 s",
    met: median(seconds) <= 1,
  });
}

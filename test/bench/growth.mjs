// How the cost of a run grows with its activations, on six shapes with agents that do nothing and no log: time ∝ N^b, b by least
// squares over several repetitions in one warm process a shape. `node test/bench/growth.mjs [--quick] [--json]`, after
// `npm run build`. Bar: b ≤ 1.1. The bipartite graph has ten sources at every size, so that its edges grow as its nodes do.
// --shape NAME chooses.

import { inFreshProcess } from "./support/fresh-process.mjs";
import { option, quick } from "./support/options.mjs";
import { createReport } from "./support/report.mjs";
import { shapes } from "./support/shapes.mjs";
import { fitExponent, median } from "./support/statistics.mjs";

const sizes = quick ? [1000, 4000, 16_000] : [1000, 3000, 10_000, 30_000, 100_000];
const repeats = quick ? 3 : 7;
const most = 1.1;
const report = createReport("growth");
const lines = [];

for (const stepwise of quick ? [true] : [true, false]) {
  const way = stepwise ? "step by step" : "all at once";
  for (const shape of Object.keys(shapes).filter((name) => [undefined, name].includes(option("shape")))) {
    const { late, troupe, bare } = await inFreshProcess("growth/measure.mjs", { shape, stepwise, sizes, repeats });
    if (late !== undefined) throw new Error(`${shape} did not end within ${late} s.`);
    const { exponent, halfWidth } = fitExponent(troupe);
    const figure = `${exponent.toFixed(2)} ± ${halfWidth.toFixed(2)}`;
    report.note(`${way.padEnd(13)} ${shape.padEnd(9)} b = ${figure}`);
    lines.push([way, shape, ...sizes.map((size) => perActivation(troupe, size)), figure, fitExponent(bare).exponent.toFixed(2)]);
    report.row({
      what: `growth from ${sizes[0]} to ${sizes.at(-1)} activations, ${shape}, ${way}: b of N^b`,
      figure: `${figure} (n = ${troupe.length})`,
      bar: `≤ ${most}`,
      met: exponent <= most,
    });
  }
}
report.section({
  title: "Growth",
  about: `processor microseconds per activation (median of ${repeats}), and the exponent with its 95 % interval; that of bare promises on the same DAG says what memory alone does.`,
  head: ["started", "shape", ...sizes.map((size) => `N = ${size}`), "b", "b of bare promises"],
  rows: lines,
});
report.end();

function perActivation(points, size) {
  return median(points.filter((point) => point.size === size).map(({ cost }) => cost / size)).toFixed(2);
}

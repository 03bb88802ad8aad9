import type { TaskRow } from "@troupe/runtime";
import { noUsage } from "@troupe/schema";
import { afterAll, describe, expect, it } from "vitest";
import { newLaboratory, rowOf } from "../../test/laboratory.ts";
import type { Experiment } from "../experiment/load-experiment.ts";
import { formatReport } from "./format-report.ts";
import { plotScaling } from "./plot-scaling.ts";
import type { ScalingLine, ScalingReport } from "./report-scaling.ts";
import { type ExperimentReport, summarize } from "./summarize.ts";

const tasks = 120;
const laboratory = newLaboratory(Array.from({ length: tasks }, (_, i) => `t${i}`));
afterAll(() => laboratory.remove());
const single = "topologies/single.yaml";
const sizes = [1, 2, 4, 8, 16, 32, 64];
const text = `experiment: 1
name: sizes
tasks: { set: set.jsonl }
systems:
  - topology: ${single}
  - { name: wide, topology: topologies/chain.yaml, vary: { limits.tokens: [500, 5000] } }
  - { name: net, topology: topologies/net.yaml, vary: { shape.kind: [chain, random], shape.size: [${sizes.join(", ")}] } }
  - { name: fall, topology: topologies/net.yaml, vary: { shape.size: [${sizes.join(", ")}] } }
  - { name: flat, topology: topologies/net.yaml, limits: { calls: 99 }, vary: { shape.size: [${sizes.join(", ")}] } }
statistics: { resamples: 400, pairs: [[${single}, net-*-64]] }
`;

const rise = { alpha: 2.5, beta: 1.5, gamma: 0.5, delta: 0.2 };
const fall = { alpha: 3.2, beta: 1.2, gamma: -0.4, delta: 0.7 };

function qualityAt(size: number, { alpha, beta, gamma, delta }: typeof rise): number {
  return gamma / (1 + Math.exp(-beta * (Math.log2(size) - alpha))) + delta;
}

/** The rows of a system that passes this share of the tasks, the easier ones first. */
function rowsOf(experiment: Experiment, name: string, share: number, tokens: number): TaskRow[] {
  const system = experiment.systems.find((one) => one.name === name);
  if (system?.runsAs !== name) return [];
  return experiment.tasks.map(({ id }, i) =>
    rowOf(name, id, 0, {
      ...{ setup: system.setup, passed: (i + 0.5) / tasks < share, seconds: tokens / 50, bytes: tokens },
      usage: { ...noUsage, calls: 1, inputTokens: tokens },
    }),
  );
}

/** All rows of the experiment at some sizes: both shapes rising, another falling, another always the same. */
async function measured(at: readonly number[] = sizes): Promise<ExperimentReport & { scaling: ScalingReport }> {
  const experiment = await laboratory.load(text);
  const rows = [
    ...rowsOf(experiment, single, 0.3, 100),
    ...rowsOf(experiment, "wide-500", 0.4, 400),
    ...rowsOf(experiment, "wide-5000", 0.5, 4000),
    ...at.flatMap((size) => [
      ...rowsOf(experiment, `net-chain-${size}`, qualityAt(size, rise), 100 * size),
      ...rowsOf(experiment, `net-random-${size}`, qualityAt(size, rise), 100 * size),
      ...rowsOf(experiment, `fall-${size}`, qualityAt(size, fall), 100 * size),
      ...rowsOf(experiment, `flat-${size}`, 0.5, 100 * size),
    ]),
  ];
  const report = summarize(experiment, rows);
  if (report.scaling === undefined) throw new Error("the experiment has no curve");
  return { ...report, scaling: report.scaling };
}

function lineOf({ scaling }: { scaling: ScalingReport }, name: string): ScalingLine {
  const line = scaling.lines.find((one) => one.name === name);
  if (line === undefined) throw new Error(`there is no curve ${name}`);
  return line;
}

describe("reportScaling()", () => {
  it("recovers the parameters of scripted quality within its standard errors, of a rise and of a fall", async () => {
    const report = await measured();
    expect(report.scaling.lines.map(({ name }) => name)).toEqual(["net-chain", "net-random", "fall", "flat"]);
    const curves = [
      ["net-chain", rise],
      ["net-random", rise],
      ["fall", fall],
    ] as const;
    for (const [line, truth] of curves) {
      const { fit } = lineOf(report, line);
      if (fit.kind !== "fitted") throw new Error(fit.reason);
      for (const name of ["alpha", "beta", "gamma", "delta"] as const) {
        const { value, standardError } = fit[name];
        expect(standardError).toBeGreaterThan(0);
        expect(Math.abs(value - truth[name])).toBeLessThan(Math.min(2 * standardError, 0.4));
      }
      for (const size of sizes) expect(fit.qualityAt(size)).toBeCloseTo(qualityAt(size, truth), 1);
    }
  });

  it("has shares with intervals by tasks, means, and growth against the smallest size", async () => {
    const { points, rise: change } = lineOf(await measured(), "net-chain");
    expect(points.map(({ size, runs }) => [size, runs])).toEqual(sizes.map((size) => [size, tasks]));
    const last = points.at(-1);
    expect(last).toMatchObject({ system: "net-chain-64", tokens: 6400, seconds: 128, bytes: 6400, growth: 64 });
    expect(last?.quality?.mean).toBeCloseTo(qualityAt(64, rise), 2);
    expect(last?.quality?.interval?.low).toBeGreaterThan(0.59);
    expect(last?.quality?.interval?.high).toBeLessThan(0.79);
    expect(change).toMatchObject({ from: 1, to: 64 });
    expect(change?.mean).toBeCloseTo(qualityAt(64, rise) - qualityAt(1, rise), 1);
  });

  it("shows the runs of the same graph at every curve, and counts them once", async () => {
    const report = await measured();
    const [one] = lineOf(report, "net-random").points;
    expect(one).toMatchObject({ system: "net-chain-1", shared: true, runs: tasks });
    expect(one?.quality).toEqual(lineOf(report, "net-chain").points[0]?.quality);
    // Sizes 1 and 2 of the random graph are those of the chain.
    expect(report.total).toBe(tasks * (3 + 4 * sizes.length - 2));
  });

  it("finds the earlier system that used the most similar number of tokens", async () => {
    const nearest = lineOf(await measured(), "net-chain").points.map((point) => point.nearest);
    expect(nearest.map((one) => [one?.system, one?.tokens.equal])).toEqual([
      [single, true],
      [single, false],
      ["wide-500", true],
      ["wide-500", false],
      ["wide-5000", false],
      ["wide-5000", false],
      ["wide-5000", false],
    ]);
    expect(nearest[2]?.difference?.mean).toBeCloseTo(qualityAt(4, rise) - 0.4, 1);
  });

  it("fits nothing below six sizes, and has no curve where nothing varies in size", async () => {
    const { fit, points } = lineOf(await measured([1, 2, 4, 8, 16]), "net-chain");
    expect(fit).toMatchObject({ kind: "refused", sizes: 5, reason: expect.stringContaining("at least 6 sizes") });
    expect(points.at(-1)).toMatchObject({ size: 64, runs: 0, quality: undefined, growth: undefined });
    const plain = await laboratory.load(text.replaceAll(/shape\.size: \[.*?\]/g, "shape.size: [64]"));
    expect(summarize(plain, []).scaling).toBeUndefined();
  });
});

describe("formatReport() of curves", () => {
  it("shows points, tokens and fits, and what a fit says", async () => {
    const page = formatReport(await measured());
    expect(page).toContain("## Against size");
    expect(page).toMatch(/\| net-chain \| 64 \| 120 \| 70\.0 % \| \S+ % to \S+ % \| 6400 \| 128\.0 \| 6400 \| 64\.00 × \|/);
    expect(page).toMatch(/\| net-random \| 1 \| 120 \(of net-chain-1\) \|/);
    expect(page).toMatch(/\| net-chain \| 4 \| 4\.00 × \| wide-500 \| yes \| −\S+ points \(/);
    expect(page).toMatch(/\| net-chain \| 8 \| 8\.00 × \| wide-500 \| ⚠ no \(2\.00 ×\) \|/);
    expect(page).toMatch(
      /\| net-chain \| 64 − 1: \+\S+ points \(.*\) \| 2\.\d\d ± 0\.\d\d \| .* \| rises by \S+ points, half of it at size \S+ \|/,
    );
    expect(page).toMatch(/\| fall \| .* \| falls by \S+ points, half of it at size \S+ \|/);
    expect(page).toMatch(/\| flat \| .* \| not determined \| .* \| the runs don't determine a curve \|/);
    expect(page).toContain("Of each size there is one random graph");
  });

  it("makes no claim of a step between two sizes, of a curve that is not there, and of one whose half lies outside", async () => {
    const says = async (shareAt: (size: number) => number) => {
      const experiment = await laboratory.load(text);
      const rows = sizes.flatMap((size) => rowsOf(experiment, `flat-${size}`, shareAt(size), 100));
      return /^\| flat \| 64 − 1.* \| (.*) \|$/m.exec(formatReport(summarize(experiment, rows)))?.[1];
    };
    expect(await says((size) => (size < 8 ? 0.2 : 0.7))).toBe("the change lies between two neighbouring sizes: α and β are not determined");
    expect(await says((size) => (size === 8 ? 0.51 : 0.5))).toMatch(
      /^(neither rise nor fall is shown|the runs don't determine a curve|the change lies)/,
    );
    expect(await says((size) => qualityAt(size, { ...rise, alpha: 8 }))).toMatch(
      /^(half of the change lies outside|neither rise nor fall|the runs don't)/,
    );
    expect(await says((size) => qualityAt(size, rise))).toMatch(/^rises by 5\d\.\d points, half of it at size 5\.\d$/);
  });

  it("says what can't be said: few sizes, no run, few tasks, nothing at equal tokens", async () => {
    const page = formatReport(await measured([1, 2]));
    expect(page).toContain("| not fitted: 2 of at least 6 sizes have runs |");
    expect(page).toContain("Below six sizes no curve is fitted");
    expect(page).toContain("some or all systems have none at size 4, 8, 16, 32, 64.");
    const experiment = await laboratory.load(`${text.replace("set.jsonl", "set.jsonl, limit: 3")}`);
    const rows = experiment.tasks.flatMap(({ id }) => [
      rowOf(single, id, 0),
      rowOf("net-chain-4", id, 0, {
        ...{ setup: experiment.systems.find(({ name }) => name === "net-chain-4")?.setup },
        usage: { ...noUsage, inputTokens: 5000 },
      }),
    ]);
    const few = formatReport(summarize(experiment, rows));
    expect(few).toContain("The points rest on 3 tasks");
    expect(few).toContain("No point has a control at equal tokens");
    expect(few).toContain("An interval without width means that every task came to the same mean");
    expect(few).toContain("Bytes are missing");
  });

  it("says that no claim was possible when even the clearest outcome would show none", async () => {
    const experiment = await laboratory.load(text.replace("set.jsonl", "set.jsonl, limit: 7"));
    const setup = experiment.systems.find(({ name }) => name === "net-chain-64")?.setup;
    const rows = experiment.tasks.flatMap(({ id }) => [rowOf(single, id, 0, { passed: false }), rowOf("net-chain-64", id, 0, { setup })]);
    expect(summarize(experiment, rows).pairs[0]?.corrected).toBeCloseTo((2 * 2) / 2 ** 7, 12);
    expect(formatReport(summarize(experiment, rows))).not.toContain("No claim was possible");
    const page = formatReport(summarize(experiment, rows.slice(0, 12)));
    expect(page).toContain("with at most 6 runs in common even the clearest outcome");
    expect(page).toContain("at least 7 runs that all differ");
  });
});

describe("plotScaling()", () => {
  it("draws a panel for each curve with its band, the fitted curve, the others and the single agent", async () => {
    const report = await measured();
    const svg = plotScaling(report);
    expect(svg.match(/class="band/g)).toHaveLength(4);
    expect(svg.match(/class="dot/g)).toHaveLength(4 * sizes.length);
    expect(svg.match(/class="ghost"/g)).toHaveLength(12);
    expect(svg.match(/class="ref"/g)).toHaveLength(4);
    expect(svg.match(/class="fit/g)).toHaveLength(3);
    expect(svg).toContain("dashed: topologies/single.yaml, 30.0 % · grey: the other curves · dotted: fitted curve");
    expect(svg).toContain("prefers-color-scheme:dark");
    expect(svg).not.toMatch(/NaN|undefined|Infinity/);
  });

  it("has a logarithmic axis, and draws what is there", async () => {
    const svg = plotScaling(await measured([1, 8]));
    const places = [...svg.matchAll(/cx="([\d.]+)"/g)].map(([, x]) => Number(x));
    expect(places).toHaveLength(8);
    expect(new Set(places).size).toBe(2);
    // 8 is half way from 1 to 64.
    expect((places[0] ?? 0) + 228 / 2).toBeCloseTo(places[1] ?? 0, 0);
    const empty = plotScaling(await measured([]));
    expect(empty.match(/no run yet/g)).toHaveLength(4);
    expect(empty).not.toMatch(/NaN|undefined|Infinity/);
  });
});

import type { TaskRow } from "@troupe/runtime";
import { noUsage } from "@troupe/schema";
import fc from "fast-check";
import { afterAll, describe, expect, it } from "vitest";
import { leastExperiment, newLaboratory, rowOf } from "../../test/laboratory.ts";
import type { Experiment } from "../experiment/load-experiment.ts";
import type { PairReport } from "./compare-pairs.ts";
import { formatReport } from "./format-report.ts";
import { plotShares } from "./plot-shares.ts";
import { summarize } from "./summarize.ts";

const ids = Array.from({ length: 12 }, (_, i) => `t${i}`);
const laboratory = newLaboratory(ids);
afterAll(() => laboratory.remove());
const [single, chain] = ["topologies/single.yaml", "topologies/chain.yaml"];
const load = (more = ""): Promise<Experiment> => laboratory.load(`${leastExperiment}${more}`);
const tokens = (inputTokens: number): Pick<TaskRow, "usage"> => ({ usage: { ...noUsage, inputTokens, calls: 1 } });

/** The first system passes none, the second all but one. */
const clear = ids.flatMap((id, i) => [
  rowOf(single, id, 0, { passed: false, ...tokens(100) }),
  rowOf(chain, id, 0, { passed: i > 0, ...tokens(300) }),
]);

function pairOf(experiment: Experiment, rows: readonly TaskRow[]): PairReport {
  const [pair] = summarize(experiment, rows).pairs;
  if (pair === undefined) throw new Error("the experiment has no pair");
  return pair;
}

const meanOf = ({ differences }: PairReport): number => differences.passed?.mean ?? Number.NaN;

describe("summarize()", () => {
  it("counts systems, tests pairs exactly, and tells that tokens are not equal", async () => {
    const report = summarize(await load(), clear);
    expect(report.systems).toMatchObject([
      { name: single, passed: 0, graded: 12, means: { tokens: 100, seconds: 1, calls: 1 } },
      { name: chain, passed: 11, graded: 12, means: { tokens: 300 } },
    ]);
    const [pair] = report.pairs;
    expect(pair).toMatchObject({
      runs: 12,
      counts: { onlyA: 0, onlyB: 11, neither: 1 },
      better: chain,
      tokens: { ratio: 3, equal: false },
    });
    expect(pair?.counts.p).toBeCloseTo(2 / 2 ** 11, 12);
    expect(pair?.corrected).toBe(pair?.counts.p);
    const passed = pair?.differences.passed;
    expect(passed?.mean).toBeCloseTo(11 / 12, 12);
    expect(passed?.clusters).toBe(12);
    expect(passed?.interval?.low).toBeGreaterThan(0.5);
    expect(pair?.differences.tokens).toMatchObject({ mean: 200, interval: { low: 200, high: 200 } });
  });

  it("corrects over all pairs, so that what one pair shows three may not", async () => {
    const few = ids.slice(0, 6).flatMap((id) => [rowOf(single, id, 0, { passed: false }), rowOf(chain, id, 0), rowOf("third", id, 0)]);
    expect(summarize(await load(), few).pairs[0]?.better).toBe(chain);
    const third = "  - { name: third, topology: topologies/chain.yaml, limits: { calls: 9 } }\nstatistics: { pairs: all }\n";
    const [first] = summarize(await load(third), few).pairs;
    expect(first?.counts.p).toBeCloseTo(2 / 64, 12);
    expect([first?.corrected.toFixed(5), first?.better]).toEqual([(6 / 64).toFixed(5), undefined]);
  });

  it("is symmetric: whoever stands first, the test, the claim and the tokens are the same", async () => {
    const turned = await load("statistics: { pairs: [[topologies/chain.yaml, topologies/single.yaml]] }\n");
    const straight = await load();
    fc.assert(
      fc.property(fc.array(fc.tuple(fc.boolean(), fc.boolean()), { minLength: 1, maxLength: ids.length }), (passes) => {
        const rows = passes.flatMap(([a, b], i) => [rowOf(single, `t${i}`, 0, { passed: a }), rowOf(chain, `t${i}`, 0, { passed: b })]);
        const [one, other] = [pairOf(straight, rows), pairOf(turned, rows)];
        expect(other.counts).toEqual({ ...one.counts, onlyA: one.counts.onlyB, onlyB: one.counts.onlyA });
        expect([other.better, other.tokens?.equal]).toEqual([one.better, one.tokens?.equal]);
        expect(meanOf(other)).toBeCloseTo(-meanOf(one), 12);
      }),
      { numRuns: 30 },
    );
  });

  it("compares only runs that both did, and counts products that nobody graded nowhere", async () => {
    const rows = [rowOf(single, "t0", 0), rowOf(chain, "t1", 0), rowOf(single, "t2", 0, { passed: undefined }), rowOf(chain, "t2", 0)];
    const report = summarize(await load(), rows);
    expect(report.systems[0]).toMatchObject({ runs: 2, graded: 1, passed: 1 });
    expect(report.pairs[0]).toMatchObject({ runs: 1, counts: { both: 0, onlyA: 0, onlyB: 0, neither: 0, p: 1 }, better: undefined });
    expect(summarize(await load(), []).pairs[0]).toMatchObject({ runs: 0, tokens: undefined });
  });
});

/** Metrics of a product; a text is why a part could not be measured. */
function software(completeness: number, executability: number, consistency: number | string): TaskRow["software"] {
  const measure = (part: number | string) =>
    typeof part === "number" ? { kind: "measured" as const, value: part, reason: "" } : { kind: "unmeasured" as const, reason: part };
  const joined = typeof consistency === "string" ? "consistency could not be measured." : consistency;
  return {
    completeness: measure(completeness),
    executability: measure(executability),
    consistency: measure(consistency),
    quality: measure(typeof joined === "string" ? joined : (completeness + executability + joined) / 3),
    qualityMultiplied: measure(typeof joined === "string" ? joined : completeness * executability * joined),
  };
}

describe("summarize() and formatReport() of metrics of software", () => {
  const metrics = "metrics: [quality, executability]\n";
  const rows = ids.flatMap((id, i) => [
    rowOf(single, id, 0, { software: software(1, 0, 0.5) }),
    rowOf(chain, id, 0, { software: i === 0 ? software(1, 1, "no model") : software(1, 1, 0.5) }),
  ]);

  it("averages what was measured, and says how often and why the rest was not", async () => {
    const report = summarize(await load(metrics), rows);
    expect(report.systems).toMatchObject([
      { means: { quality: expect.closeTo(0.5), executability: 0 }, measured: { quality: 12, executability: 12 }, unmeasured: [] },
      { means: { quality: expect.closeTo(2.5 / 3), executability: 1 }, measured: { quality: 11, executability: 12 } },
    ]);
    expect(report.systems[1]?.unmeasured).toEqual([{ reason: "no model", runs: 1 }]);
    expect(report.systems[1]?.means).not.toHaveProperty("completeness");
    const differences = report.pairs[0]?.differences;
    expect(differences?.quality?.mean).toBeCloseTo(1 / 3, 12);
    expect(differences?.quality?.clusters).toBe(11);
    const page = formatReport(report);
    expect(page).toContain("| system | quality | executability |");
    expect(page).toContain("| topologies/chain.yaml | 0.833 (of 11) | 1.000 |");
    expect(page).toContain("+0.333");
    expect(page).toContain("the others lack one because (system, runs): topologies/chain.yaml, 1: no model");
  });

  it("has no figure of rows that were not measured, which is no 0", async () => {
    const report = summarize(await load(metrics), clear);
    expect(report.systems[0]).toMatchObject({ means: { quality: undefined }, measured: { quality: 0 } });
    const page = formatReport(report);
    expect(page).toContain("| topologies/single.yaml | – | – |");
    expect(page).toContain("topologies/single.yaml, 12: they were run before the experiment named these metrics");
  });
});

describe("formatReport()", () => {
  it("marks a claim between systems that are not at equal tokens", async () => {
    const page = formatReport(summarize(await load("description: Does a chain help?\n"), clear));
    expect(page).toMatch(/^<!-- Written by `troupe experiment`/);
    expect(page).toContain("Does a chain help?\n\n2 systems on 12 tasks with 1 seed each: all 24 runs are done.");
    expect(page).toContain("| topologies/single.yaml | 0 / 12 | 0.0 % | 0.0 % to 24.2 % | 100 | 1.0 | 1.0 |");
    expect(page).toContain("| 0.0010 | 0.0010 | **topologies/chain.yaml passes more** ⚠ not at equal tokens (3.00 ×) |");
    expect(page).toContain("| 100 | 300 | ⚠ no (3.00 ×) |");
    expect(page).toContain("| +200 (+200 to +200) |");
    const equal = formatReport(
      summarize(
        await load(),
        clear.map((row) => ({ ...row, ...tokens(100) })),
      ),
    );
    expect(equal).toContain("**topologies/chain.yaml passes more** |");
    expect(equal).toContain("| 100 | 100 | yes |");
  });

  it("says what is missing, and reports only the metrics that are asked for", async () => {
    const page = formatReport(summarize(await load("metrics: [tokens]\n"), clear.slice(0, 7)));
    expect(page).toContain("**7 of 24 runs are done; the rest is missing below, and what is said may change with it**");
    expect(page).toContain("A difference rests on 3 tasks only");
    expect(page).not.toMatch(/McNemar \||p \(Holm\)|share/);
    expect(formatReport(summarize(await load(), []))).toContain("no run in common");
  });

  it("gives the same page for the same rows", async () => {
    const experiment = await load();
    expect(formatReport(summarize(experiment, clear))).toBe(formatReport(summarize(experiment, [...clear])));
  });
});

describe("plotShares()", () => {
  it("draws every system with its interval, in light and dark", async () => {
    const svg = plotShares(summarize(await load(), clear));
    expect(svg.match(/class="dot/g)).toHaveLength(2);
    expect(svg).toContain("91.7 %  (11 / 12)");
    expect(svg).toContain("prefers-color-scheme:dark");
    expect(svg).toContain("share passed, 95 % Wilson interval · 12 tasks × 1 seed · 24 runs");
    expect(plotShares(summarize(await load(), []))).toContain("no graded run");
  });

  it("stays XML whatever systems are called", async () => {
    const path = laboratory.write('topologies/a<b>&"c".yaml', "troupe: 1\nname: x\ndirector: fixed\nagents: [agents/solo.yaml]\n");
    expect(path).toContain("<b>");
    const svg = plotShares(summarize(await load(`  - topology: 'topologies/a<b>&"c".yaml'\n`), clear));
    expect(svg).toContain("topologies/a&lt;b&gt;&amp;&quot;c&quot;.yaml");
    expect(svg).not.toContain("<b>");
  });
});

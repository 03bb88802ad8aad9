import type { PairReport } from "./compare-pairs.ts";
import type { Metric } from "./figure-of.ts";
import { chance, digitsOf, percent, range, ratio, signed, table } from "./format-cells.ts";
import { formatScaling } from "./format-scaling.ts";
import { reportNotes } from "./report-notes.ts";
import type { ExperimentReport, SystemReport } from "./summarize.ts";

/** The report of an experiment as a page in Markdown: what `table.md` holds. Equal rows give an equal page. */
export function formatReport(report: ExperimentReport): string {
  const { file, done, total, tasks, seeds, systems } = report;
  const parts = `${many(systems.length, "system")} on ${many(tasks, "task")} with ${many(seeds, "seed")} each`;
  const state =
    done === total
      ? `all ${total} runs are done`
      : `**${done} of ${total} runs are done; the rest is missing below, and what is said may change with it**`;
  const page = [
    `<!-- Written by \`troupe experiment\`; don't edit. -->`,
    `# ${file.name}`,
    ...(file.description === undefined ? [] : [escapeText(file.description.trim())]),
    `${parts}: ${state}.`,
    ...comparisonTables(report),
    ...(report.scaling === undefined ? [] : ["## Against size", ...formatScaling(report.scaling, file)]),
    `## How to read this`,
    reportNotes(report)
      .map((note) => `- ${note}`)
      .join("\n"),
  ];
  return `${page.join("\n\n")}\n`;
}

/** Only the tables, for the terminal. */
export function formatTables(report: ExperimentReport): string[] {
  return [...comparisonTables(report), ...(report.scaling === undefined ? [] : formatScaling(report.scaling, report.file))];
}

function comparisonTables(report: ExperimentReport): string[] {
  const { pairs, file } = report;
  const hasPassed = file.metrics.includes("passed");
  const tables = [systemTable(report)];
  if (pairs.length > 0 && hasPassed) tables.push(pairTable(report));
  if (pairs.length > 0) tables.push(differenceTable(report), tokenTable(report));
  return tables;
}

const heads: Record<Metric, string[]> = {
  passed: ["passed", "share", "interval"],
  tokens: ["tokens per run"],
  seconds: ["seconds per run"],
  calls: ["calls per run"],
  completeness: ["completeness"],
  executability: ["executability"],
  consistency: ["consistency"],
  quality: ["quality"],
  qualityMultiplied: ["quality, multiplied"],
};

function systemTable({ systems, file }: ExperimentReport): string {
  const metrics = [...new Set(file.metrics)];
  const head = ["system", ...metrics.flatMap((metric) => heads[metric])];
  const level = percent(1 - file.statistics.alpha, 0);
  const rows = systems.map((system) => [system.name, ...metrics.flatMap((metric) => systemCells(system, metric))]);
  return table(
    head.map((word) => (word === "interval" ? `${level} interval` : word)),
    rows,
  );
}

function systemCells({ passed, graded, interval, means, measured, runs }: SystemReport, metric: Metric): string[] {
  if (metric !== "passed") {
    const some = (measured[metric] ?? runs) < runs ? ` (of ${measured[metric]})` : "";
    return [means[metric] === undefined ? "–" : `${means[metric].toFixed(digitsOf(metric))}${some}`];
  }
  if (graded === 0) return ["–", "–", "–"];
  return [`${passed} / ${graded}`, percent(passed / graded), range(interval, (share) => percent(share))];
}

function pairTable({ pairs }: ExperimentReport): string {
  const head = ["first", "second", "both", "only first", "only second", "neither", "p", "p (Holm)", "says"];
  return table(
    head,
    pairs.map((pair) => {
      const { both, onlyA, onlyB, neither, p } = pair.counts;
      const counts = [both, onlyA, onlyB, neither].map(String);
      return [pair.first, pair.second, ...counts, chance(p), chance(pair.corrected), claimOf(pair)];
    }),
  );
}

/** What a pair shows; a claim between systems that are not at equal tokens is marked. */
function claimOf({ better, tokens, counts }: PairReport): string {
  if (counts.both + counts.onlyA + counts.onlyB + counts.neither === 0) return "no run in common";
  const claim = better === undefined ? "no difference shown" : `**${better} passes more**`;
  return tokens === undefined || tokens.equal ? claim : `${claim} ⚠ not at equal tokens (${ratio(tokens.ratio)})`;
}

function differenceTable({ pairs, file }: ExperimentReport): string {
  const metrics = [...new Set(file.metrics)];
  const level = percent(1 - file.statistics.alpha, 0);
  const head = ["first", "second", ...metrics.map((metric) => `${metric}, second − first (${level} interval)`)];
  const rows = pairs.map(({ first, second, differences }) => [
    first,
    second,
    ...metrics.map((metric) => {
      const found = differences[metric];
      if (found === undefined) return "–";
      const show = (value: number): string => signed(value, metric);
      return `${show(found.mean)} (${found.interval === undefined ? "one task has no interval" : range(found.interval, show)})`;
    }),
  ]);
  return table(head, rows);
}

function tokenTable({ pairs, file }: ExperimentReport): string {
  const head = ["first", "second", "tokens of first", "tokens of second", `equal within ${percent(file.statistics.tokenTolerance, 0)}`];
  return table(
    head,
    pairs.map(({ first, second, tokens }) =>
      tokens === undefined
        ? [first, second, "–", "–", "–"]
        : [first, second, tokens.first.toFixed(0), tokens.second.toFixed(0), tokens.equal ? "yes" : `⚠ no (${ratio(tokens.ratio)})`],
    ),
  );
}

const many = (count: number, noun: string): string => `${count} ${noun}${count === 1 ? "" : "s"}`;

/** Words of a file's description stay words: they make no comment, no tag and no heading. */
function escapeText(text: string): string {
  return text.replaceAll("<", "&lt;").replaceAll(/^#/gm, "\\#");
}

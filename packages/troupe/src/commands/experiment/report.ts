import { mkdir, writeFile } from "node:fs/promises";
import { join, resolve } from "node:path";
import { type Experiment, formatReport, formatTables, plotScaling, plotShares, summarize } from "@troupe/lab";
import type { TaskRow } from "@troupe/runtime";
import type { TroupeContext } from "../../context.ts";
import { jsonLine } from "../../view/terminal-text.ts";
import { openExperiment, type PlaceFlags } from "./open-experiment.ts";

/** Writes table and plot of what is done. */
export async function reportExperiment(this: TroupeContext, flags: PlaceFlags, file: string): Promise<void> {
  const { experiment, sorted, folder } = await openExperiment(this, flags, file);
  await writeReport({ context: this, experiment, rows: sorted.rows, folder, json: flags.json });
}

/** What a report is made of. */
export interface ReportParts {
  readonly context: TroupeContext;
  readonly experiment: Experiment;
  readonly rows: readonly TaskRow[];
  /** Relative to the working folder. */
  readonly folder: string;
  readonly json: boolean;
}

/** Writes `table.md`, when shares are reported `plot.svg`, and when systems vary in size `scaling.svg`; prints the tables, or the whole report as a line of JSON. */
export async function writeReport({ context, experiment, rows, folder, json }: ReportParts): Promise<void> {
  const { stdout, stderr } = context.process;
  const report = summarize(experiment, rows);
  const { scaling } = report;
  const files = {
    "table.md": formatReport(report),
    ...(report.file.metrics.includes("passed") ? { "plot.svg": plotShares(report) } : {}),
    ...(scaling === undefined ? {} : { "scaling.svg": plotScaling({ ...report, scaling }) }),
  };
  const path = resolve(context.cwd, folder);
  await mkdir(path, { recursive: true });
  for (const [name, content] of Object.entries(files)) await writeFile(join(path, name), content);
  const { file: _file, ...figures } = report;
  stdout.write(json ? jsonLine({ kind: "report", name: report.file.name, ...figures }) : `${formatTables(report).join("\n\n")}\n`);
  stderr.write(
    `${Object.keys(files)
      .map((name) => join(folder, name))
      .join("\n")}\n`,
  );
}

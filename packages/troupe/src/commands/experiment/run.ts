import { join } from "node:path";
import { type Experiment, type Metric, runExperiment, spendingOf } from "@troupe/lab";
import { embeddingModelName } from "@troupe/models";
import type { Ports } from "@troupe/runtime";
import { formatProblem, toTroupeError } from "@troupe/schema";
import type { TroupeContext } from "../../context.ts";
import { exitCodes } from "../../exit-code.ts";
import { jsonLine } from "../../view/terminal-text.ts";
import { type SetHooks, watchSet } from "../../view/watch-set.ts";
import { duration, plural } from "../../view/words.ts";
import type { WorldFlags } from "../flags.ts";
import { withPorts } from "../with-world.ts";
import { type OpenExperiment, openExperiment, type PlaceFlags, resultsName } from "./open-experiment.ts";
import { writeReport } from "./report.ts";

/** The flags of `troupe experiment run`. */
export interface ExperimentRunFlags extends PlaceFlags, WorldFlags {
  readonly jobs?: number;
}

/** Runs what is left of an experiment within its budget, and writes table and plot. */
export async function runExperimentFile(this: TroupeContext, flags: ExperimentRunFlags, file: string): Promise<void> {
  const { stderr } = this.process;
  const open = await openExperiment(this, flags, file);
  const { experiment, sorted, folder } = open;
  for (const warning of experiment.warnings) stderr.write(`${formatProblem(warning)}\n`);
  const before = sorted.rows.length;
  try {
    if (sorted.left.length > 0 && spendingOf(experiment, sorted.rows).exhausted === undefined) await runLeft(this, flags, open);
  } finally {
    if (this.signal.aborted) stderr.write(`What is done is in ${join(folder, resultsName)}; the same call goes on from there.\n`);
  }
  await writeReport({ context: this, experiment, rows: sorted.rows, folder, json: flags.json });
  const left = sorted.left.length - (sorted.rows.length - before);
  if (left === 0) return;
  const { tokens, seconds, exhausted } = spendingOf(experiment, sorted.rows);
  const used = `${plural(tokens, "token")} and ${duration(seconds)} are used`;
  stderr.write(`The budget of ${exhausted === "generatedTokens" ? "generated tokens" : exhausted} is used up: ${used}, ${plural(left, "run")} left. Raise \`budget\` in ${file} to go on.\n`);
  this.exit = exitCodes.exhausted;
}

/** What needs the embedding model, which nothing else does. */
const compared: readonly Metric[] = ["consistency", "quality", "qualityMultiplied"];

/** Says before anything is spent that a metric will have no figures. */
async function warnOfEmbedding({ signal, process: { stderr } }: TroupeContext, { file }: Experiment, { models }: Ports): Promise<void> {
  const named = compared.filter((metric) => file.metrics.includes(metric));
  if (named.length === 0) return;
  await models.info(embeddingModelName, signal).catch((error: unknown) => {
    signal.throwIfAborted();
    stderr.write(`${named.join(", ")} will not be measured: ${toTroupeError(error).message}\n`);
  });
}

async function runLeft(context: TroupeContext, flags: ExperimentRunFlags, { experiment, sorted, results }: OpenExperiment): Promise<void> {
  const { rows, left } = sorted;
  await withPorts(flags, context, async (ports) => {
    await warnOfEmbedding(context, experiment, ports);
    const options = { cwd: context.cwd, ports, jobs: flags.jobs ?? experiment.file.jobs };
    const runs = (hooks: SetHooks) => runExperiment(experiment, { rows, left }, { ...options, ...hooks }, context.signal);
    await watchSet({ context, total: rows.length + left.length, before: rows.length, runs }, async (row) => {
      rows.push(row);
      await results.keep(row);
      if (flags.json) context.process.stdout.write(jsonLine(row));
    });
  });
}

import { join } from "node:path";
import { budgetLeft, estimateCost, type Experiment, type Metric, runExperiment, type Spending, spendingOf } from "@troupe/lab";
import { embeddingModelName } from "@troupe/models";
import type { Ports, TaskRow } from "@troupe/runtime";
import { formatProblem, toTroupeError } from "@troupe/schema";
import type { TroupeContext } from "../../context.ts";
import { exitCodes } from "../../exit-code.ts";
import { jsonLine } from "../../view/terminal-text.ts";
import { type SetHooks, watchSet } from "../../view/watch-set.ts";
import { duration, plural } from "../../view/words.ts";
import type { WorldFlags } from "../flags.ts";
import { withPorts } from "../with-world.ts";
import { type OpenExperiment, openExperiment, type PartFlags, partOf, type PlaceFlags, resultsName } from "./open-experiment.ts";
import { writeReport } from "./report.ts";

/** The flags of `troupe experiment run`. */
export interface ExperimentRunFlags extends PlaceFlags, PartFlags, WorldFlags {
  readonly jobs?: number;
}

/** Runs what is left of an experiment, or of a part of it, within its budget, and writes table and plots. */
export async function runExperimentFile(this: TroupeContext, flags: ExperimentRunFlags, file: string): Promise<void> {
  const { stderr } = this.process;
  const open = await openExperiment(this, flags, file);
  const { experiment, sorted, folder } = open;
  const part = partOf(open, flags);
  for (const warning of experiment.warnings) stderr.write(`${formatProblem(warning)}\n`);
  const before = sorted.rows.length;
  try {
    if (part.left.length > 0 && spendingOf(experiment, sorted.rows).exhausted === undefined) await runLeft(this, flags, { ...open, part });
  } finally {
    if (this.signal.aborted) stderr.write(`What is done is in ${join(folder, resultsName)}; the same call goes on from there.\n`);
  }
  await writeReport({ context: this, experiment, rows: sorted.rows, folder, json: flags.json });
  const ran = sorted.rows.length - before;
  const all = sorted.left.length - ran;
  if (part.left.length > ran) {
    stderr.write(`${budgetWords(spendingOf(experiment, sorted.rows), all)} Raise \`budget\` in ${file} to go on.\n`);
    this.exit = exitCodes.exhausted;
  } else if (all > 0) stderr.write(`The part that was asked for is done; ${plural(all, "run")} of the experiment left.\n`);
}

function budgetWords({ exhausted, tokens, seconds }: Spending, left: number): string {
  const amount = exhausted === "generatedTokens" ? "generated tokens" : exhausted;
  return `The budget of ${amount} is used up: ${plural(tokens, "token")} and ${duration(seconds)} are used, ${plural(left, "run")} left.`;
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

type OpenPart = OpenExperiment & { readonly part: ReturnType<typeof partOf> };

async function runLeft(context: TroupeContext, flags: ExperimentRunFlags, { experiment, sorted, results, part }: OpenPart): Promise<void> {
  const { rows } = sorted;
  const { left } = part;
  const { tokens, perRun } = estimateCost(experiment, { rows, left });
  const work = { left: tokens, of: ({ topology }: TaskRow) => perRun.get(topology) ?? 0 };
  await withPorts(flags, context, async (ports) => {
    await warnOfEmbedding(context, experiment, ports);
    const options = { cwd: context.cwd, ports, jobs: flags.jobs ?? experiment.file.jobs };
    const set = {
      ...{ context, work, budget: () => budgetLeft(experiment, rows) },
      ...{ total: part.rows.length + left.length, before: part.rows.length },
      runs: (hooks: SetHooks) => runExperiment(experiment, { rows, left }, { ...options, ...hooks }, context.signal),
    };
    await watchSet(set, async (row) => {
      rows.push(row);
      await results.keep(row);
      if (flags.json) context.process.stdout.write(jsonLine(row));
    });
  });
}

import { estimateCost, type Experiment, type Spending, spendingOf } from "@troupe/lab";
import { formatProblem } from "@troupe/schema";
import type { TroupeContext } from "../../context.ts";
import { colorsOf } from "../../view/colors.ts";
import { jsonLine } from "../../view/terminal-text.ts";
import { duration, plural } from "../../view/words.ts";
import { estimateLines } from "./estimate-lines.ts";
import { openExperiment, type PartFlags, partOf, type PlaceFlags } from "./open-experiment.ts";

/** The flags of `troupe experiment check`. */
export type ExperimentCheckFlags = PlaceFlags & PartFlags;

/** Validates an experiment, and says what of it is left, and what that will probably use. */
export async function checkExperiment(this: TroupeContext, flags: ExperimentCheckFlags, file: string): Promise<void> {
  const { stdout, env } = this.process;
  const open = await openExperiment(this, flags, file);
  const { experiment, sorted } = open;
  const part = partOf(open, flags);
  const { file: parsed, warnings, systems, tasks, seeds, pairs } = experiment;
  const [done, left] = [part.rows.length, part.left.length];
  const spent = spendingOf(experiment, sorted.rows);
  const estimate = estimateCost(experiment, { rows: sorted.rows, left: part.left });
  if (flags.json) {
    const counts = { systems: systems.map(({ name }) => name), tasks: tasks.length, seeds: seeds.length, pairs: pairs.length };
    const cost = { ...estimate, perRun: Object.fromEntries(estimate.perRun) };
    stdout.write(jsonLine({ file, kind: "experiment", ok: true, problems: warnings, ...counts, done, left, spent, estimate: cost }));
    return;
  }
  for (const warning of warnings) stdout.write(`${formatProblem(warning)}\n`);
  const ran = new Set([...part.rows, ...part.left].map(({ topology }) => topology)).size;
  const size = `${plural(ran, "system")} × ${plural(tasks.length, "task")} × ${plural(Math.min(seeds.length, flags.seeds ?? seeds.length), "seed")}`;
  const shared = systems.filter(({ name, runsAs }) => name !== runsAs).length;
  const lines = [
    `${parsed.name}: ${size} = ${plural(done + left, "run")}, ${parsed.jobs} at once; ${plural(pairs.length, "pair")} compared`,
    ...(shared === 0
      ? []
      : [
          `${plural(shared, "more system")} ${shared === 1 ? "is" : "are"} the same graph as one of these, and ${shared === 1 ? "has" : "have"} its runs`,
        ]),
    `${done} done (${plural(spent.tokens, "token")}, ${duration(spent.seconds)}), ${left} left${budgetWords(experiment, spent)}`,
    ...estimateLines(experiment, estimate, sorted.rows),
  ];
  stdout.write(`${colorsOf(stdout, env).green("✓")} ${file}: experiment\n  ${lines.join("\n  ")}\n`);
}

function budgetWords({ file: { budget } }: Experiment, { exhausted }: Spending): string {
  const parts = [
    ...(budget?.tokens === undefined ? [] : [plural(budget.tokens, "token")]),
    ...(budget?.generatedTokens === undefined ? [] : [plural(budget.generatedTokens, "generated token")]),
    ...(budget?.seconds === undefined ? [] : [duration(budget.seconds)]),
  ];
  if (parts.length === 0) return "";
  return `; budget ${parts.join(", ")}${exhausted === undefined ? "" : " (used up)"}`;
}

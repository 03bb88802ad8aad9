import { type Experiment, type Spending, spendingOf } from "@troupe/lab";
import { formatProblem } from "@troupe/schema";
import type { TroupeContext } from "../../context.ts";
import { colorsOf } from "../../view/colors.ts";
import { jsonLine } from "../../view/terminal-text.ts";
import { duration, plural } from "../../view/words.ts";
import { openExperiment, type PlaceFlags } from "./open-experiment.ts";

/** Validates an experiment, and says what of it is left. */
export async function checkExperiment(this: TroupeContext, flags: PlaceFlags, file: string): Promise<void> {
  const { stdout, env } = this.process;
  const { experiment, sorted } = await openExperiment(this, flags, file);
  const { file: parsed, warnings, systems, tasks, seeds, pairs } = experiment;
  const [done, left] = [sorted.rows.length, sorted.left.length];
  const spent = spendingOf(experiment, sorted.rows);
  if (flags.json) {
    const counts = { systems: systems.map(({ name }) => name), tasks: tasks.length, seeds: seeds.length, pairs: pairs.length };
    stdout.write(jsonLine({ file, kind: "experiment", ok: true, problems: warnings, ...counts, done, left, spent }));
    return;
  }
  for (const warning of warnings) stdout.write(`${formatProblem(warning)}\n`);
  const size = `${plural(systems.length, "system")} × ${plural(tasks.length, "task")} × ${plural(seeds.length, "seed")}`;
  const lines = [
    `${parsed.name}: ${size} = ${plural(done + left, "run")}, ${parsed.jobs} at once; ${plural(pairs.length, "pair")} compared`,
    `${done} done (${plural(spent.tokens, "token")}, ${duration(spent.seconds)}), ${left} left${budgetWords(experiment, spent)}`,
  ];
  stdout.write(`${colorsOf(stdout, env).green("✓")} ${file}: experiment\n  ${lines.join("\n  ")}\n`);
}

function budgetWords({ file: { budget } }: Experiment, { exhausted }: Spending): string {
  const parts = [
    ...(budget?.tokens === undefined ? [] : [plural(budget.tokens, "token")]),
    ...(budget?.seconds === undefined ? [] : [duration(budget.seconds)]),
  ];
  if (parts.length === 0) return "";
  return `; budget ${parts.join(", ")}${exhausted === undefined ? "" : " (used up)"}`;
}

import type { RunSummary } from "@troupe/schema";
import { cutLine } from "../../view/cut-line.ts";
import type { TroupeContext } from "../../context.ts";
import { type Colors, colorsOf } from "../../view/colors.ts";
import { formatTable } from "../../view/format-table.ts";
import { outcomeWord } from "../../view/frame-header.ts";
import { jsonLine, oneLine } from "../../view/terminal-text.ts";
import { count, moment, money, tokensOf } from "../../view/words.ts";
import type { WorldFlags } from "../flags.ts";
import { withRuns } from "../with-world.ts";

/** The flags of `troupe runs`. */
export interface RunsFlags extends Pick<WorldFlags, "models" | "db" | "json"> {
  readonly limit?: number;
}

/** Cells of a task in the list. */
const taskWidth = 48;

/** Lists runs, the newest first. */
export async function runs(this: TroupeContext, flags: RunsFlags): Promise<void> {
  const { stdout, stderr, env } = this.process;
  const list = await withRuns(flags, this, (store) => store.list(flags.limit ?? 20));
  if (flags.json) for (const run of list) stdout.write(jsonLine(run));
  else if (list.length === 0) stderr.write("There are no runs yet. Start one with `troupe run TOPOLOGY --task TEXT`.\n");
  else stdout.write(`${formatRuns(list, colorsOf(stdout, env)).join("\n")}\n`);
}

/** A table of runs. */
export function formatRuns(list: readonly RunSummary[], colors: Colors): string[] {
  const paid = list.some(({ usage }) => usage.usd > 0);
  const head = ["run", "when", "topology", "task", "outcome", "tokens", ...(paid ? ["cost"] : [])];
  const rows = list.map(({ run, startedAt, topology, task, outcome, usage }) => [
    run,
    moment(startedAt),
    oneLine(topology),
    cutLine(oneLine(task), taskWidth),
    outcome === undefined ? colors.yellow("◌ not ended") : outcomeWord({ kind: outcome }, colors),
    count(tokensOf(usage)),
    ...(paid ? [money(usage.usd)] : []),
  ]);
  const [first = "", ...rest] = formatTable([head, ...rows], ["left", "left", "left", "left", "left", "right", "right"]);
  return [colors.dim(first), ...rest];
}

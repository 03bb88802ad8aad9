import type { RunHolder, RunStore, RunSummary } from "@troupe/schema";
import { cutLine } from "../../view/cut-line.ts";
import type { TroupeContext } from "../../context.ts";
import { type Colors, colorsOf } from "../../view/colors.ts";
import { describeHolder } from "../../view/describe-outcome.ts";
import { formatTable } from "../../view/format-table.ts";
import { outcomeWord } from "../../view/frame-header.ts";
import { jsonLine, oneLine } from "../../view/terminal-text.ts";
import { count, moment, money, tokensOf } from "../../view/words.ts";
import type { WorldFlags } from "../flags.ts";
import { holderOf } from "../show/shown-run.ts";
import { damageTeller, withRuns } from "../with-world.ts";

/** The flags of `troupe runs`. */
export interface RunsFlags extends Pick<WorldFlags, "models" | "db" | "json"> {
  readonly limit?: number;
}

/** Cells of a task in the list. */
const taskWidth = 48;

/** A run of the list, with who works on it now. */
interface ListedRun extends RunSummary {
  readonly holder?: RunHolder | undefined;
}

/** Lists runs, the newest first. */
export async function runs(this: TroupeContext, flags: RunsFlags): Promise<void> {
  const { stdout, stderr, env } = this.process;
  const damaged = damageTeller(this);
  const read = (store: RunStore): ListedRun[] =>
    store
      .list(flags.limit ?? 20, damaged)
      .map((run) => (run.outcome === undefined ? { ...run, holder: holderOf(store, run.run, damaged) } : run));
  const list = await withRuns(flags, this, read, damaged);
  if (flags.json) for (const run of list) stdout.write(jsonLine({ ...run, holder: run.holder ?? null }));
  else if (list.length > 0) stdout.write(`${formatRuns(list, colorsOf(stdout, env)).join("\n")}\n`);
  else if (this.exit === undefined) stderr.write("There are no runs yet. Start one with `troupe run TOPOLOGY --task TEXT`.\n");
}

/** A table of runs. */
export function formatRuns(list: readonly ListedRun[], colors: Colors): string[] {
  const paid = list.some(({ usage }) => usage.usd > 0);
  const held = list.some(({ holder }) => holder !== undefined);
  const head = ["run", "when", "topology", "task", "outcome", "tokens", ...(paid ? ["cost"] : []), ...(held ? ["worked on by"] : [])];
  const rows = list.map((run) => [
    run.run,
    moment(run.startedAt),
    oneLine(run.topology),
    cutLine(oneLine(run.task), taskWidth),
    stateOf(run, colors),
    count(tokensOf(run.usage)),
    ...(paid ? [money(run.usage.usd)] : []),
    ...(held ? [run.holder === undefined ? "" : describeHolder(run.holder)] : []),
  ]);
  const sides = ["left", "left", "left", "left", "left", "right", ...(paid ? (["right"] as const) : []), "left"] as const;
  const [first = "", ...rest] = formatTable([head, ...rows], sides);
  return [colors.dim(first), ...rest];
}

function stateOf({ outcome, holder }: ListedRun, colors: Colors): string {
  if (outcome !== undefined) return outcomeWord({ kind: outcome }, colors);
  return holder === undefined ? colors.yellow("◌ not ended") : colors.cyan("● running");
}

import { type PruneReport, pruneRuns } from "@troupe/runtime";
import { systemClock } from "@troupe/schema";
import type { TroupeContext } from "../../context.ts";
import { colorsOf } from "../../view/colors.ts";
import { jsonLine } from "../../view/terminal-text.ts";
import { plural, size } from "../../view/words.ts";
import type { WorldFlags } from "../flags.ts";
import { withRuns } from "../with-world.ts";
import { formatRuns } from "./runs.ts";

/** The flags of `troupe runs prune`. */
export interface PruneFlags extends Pick<WorldFlags, "models" | "db" | "json"> {
  readonly keep?: number;
  /** Milliseconds. */
  readonly olderThan?: number;
  readonly dryRun: boolean;
}

/** Removes old runs and says which, and what that freed. */
export async function prune(this: TroupeContext, { keep, olderThan, dryRun, ...flags }: PruneFlags): Promise<void> {
  const { stdout, stderr, env } = this.process;
  const report = await withRuns(flags, this, (store) => pruneRuns(store, { keep, olderThan, dryRun, now: systemClock.now() }));
  if (flags.json) {
    stdout.write(jsonLine(reportObject(report, dryRun)));
    return;
  }
  if (report.pruned.length > 0) stdout.write(`${formatRuns(report.pruned, colorsOf(stdout, env)).join("\n")}\n`);
  stderr.write(`${reportLines(report, dryRun).join("\n")}\n`);
}

function reportLines({ removed, spared, file }: PruneReport, dryRun: boolean): string[] {
  const kept = (why: string, says: string): string[] => {
    const runs = spared.filter((run) => run.why === why).map(({ run }) => run);
    return runs.length === 0 ? [] : [`${runs.join(", ")} ${runs.length === 1 ? "stays" : "stay"}: ${says}`];
  };
  const what = `${plural(removed.runs, "run")}, ${plural(removed.events, "event")}, ${plural(removed.artifacts, "artifact")}: ${size(removed.bytes)}`;
  return [
    removed.runs === 0 ? "There is nothing to prune." : `${dryRun ? "Would remove" : "Removed"} ${what}.`,
    ...kept("running", "somebody works on it."),
    ...kept("not ended", "it was started within a day and has not ended; it may go on elsewhere."),
    ...(file === undefined ? [] : [fileLine(file)]),
  ];
}

function fileLine({ before, after, left }: NonNullable<PruneReport["file"]>): string {
  if (left === "in use") return "The file keeps its size while somebody uses it; later runs use the room. Prune again to compact it.";
  if (left === "disk full") return "The file keeps its size: compacting it needs as much room again for a moment. Later runs use the room.";
  return `The database went from ${size(before)} to ${size(after)}.`;
}

function reportObject({ pruned, spared, removed, file }: PruneReport, dryRun: boolean) {
  return { kind: "pruned", dryRun, runs: pruned.map(({ run }) => run), spared, removed, file: file ?? null };
}

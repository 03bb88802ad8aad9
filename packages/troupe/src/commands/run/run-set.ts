import { resolve } from "node:path";
import { openResults, type ResultsFile, runTaskSet, type TaskRow, type TaskRun, type TaskSetOptions } from "@troupe/runtime";
import { type Task, TroupeError } from "@troupe/schema";
import { comparePaired, formatPassTable, type GradedProduct, passTable } from "@troupe/tasks";
import type { TroupeContext } from "../../context.ts";
import { jsonLine } from "../../view/terminal-text.ts";
import { type SetHooks, watchSet } from "../../view/watch-set.ts";
import { plural, tokensOf } from "../../view/words.ts";
import { limitsOf } from "../limits-of.ts";
import { tellWarnings } from "../tell-warnings.ts";
import { withPorts } from "../with-world.ts";
import type { RunFlags } from "./run.ts";

/** Runs every topology on every task with every seed, prints a line for each, and a table at the end. */
export async function runSet(
  context: TroupeContext,
  flags: RunFlags,
  topologies: readonly string[],
  tasks: readonly Task[],
): Promise<void> {
  if (flags.out !== undefined || flags.from !== undefined)
    throw new TroupeError("call_invalid", "--out and --from go with a single task, not with a set.");
  const { stdout, stderr } = context.process;
  const results = flags.results === undefined ? nowhere : await openResults(resolve(context.cwd, flags.results));
  const all = runsOf(flags, topologies, tasks);
  const wanted = new Set(all.map(({ topology, task, seed }) => keyOf({ topology, task: task.id, seed })));
  const rows = results.rows.filter((row) => wanted.has(keyOf(row)));
  const done = new Set(rows.map(keyOf));
  const left = all.filter(({ topology, task, seed }) => !done.has(keyOf({ topology, task: task.id, seed })));
  try {
    if (left.length > 0) await runRest({ context, flags, results, rows, left });
  } finally {
    if (context.signal.aborted && flags.results !== undefined)
      stderr.write(`What is done is in ${flags.results}; the same call goes on from there.\n`);
  }
  if (!flags.json) stdout.write(`${summary(rows, topologies)}\n`);
}

interface Rest {
  readonly context: TroupeContext;
  readonly flags: RunFlags;
  readonly results: ResultsFile;
  /** Gets the new rows. */
  readonly rows: TaskRow[];
  readonly left: readonly TaskRun[];
}

async function runRest({ context, flags, results, rows, left }: Rest): Promise<void> {
  const { stdout } = context.process;
  await withPorts(flags, context, async (ports) => {
    await tellWarnings(new Set(left.map(({ topology }) => topology)), ports, context);
    const options: TaskSetOptions = { cwd: context.cwd, ports, jobs: flags.jobs ?? 1, limits: limitsOf(flags) };
    const runs = (hooks: SetHooks) => runTaskSet(left, { ...options, ...hooks }, context.signal);
    await watchSet({ context, total: rows.length + left.length, before: rows.length, runs }, async (row) => {
      rows.push(row);
      await results.keep(row);
      if (flags.json) stdout.write(jsonLine(row));
    });
  });
}

const nowhere: ResultsFile = { rows: [], keep: () => Promise.resolve() };

function runsOf(flags: RunFlags, topologies: readonly string[], tasks: readonly Task[]): TaskRun[] {
  const first = flags.seed ?? 0;
  const seeds = Array.from({ length: flags.seeds ?? 1 }, (_, i) => first + i);
  // All runs of a task together: their prompts begin alike, and a server that keeps what it has read need not read it again.
  return tasks.flatMap((task) => seeds.flatMap((seed) => topologies.map((topology): TaskRun => ({ topology, task, seed }))));
}

function summary(rows: readonly TaskRow[], topologies: readonly string[]): string {
  const graded = rows.flatMap((row): GradedProduct[] => (row.passed === undefined ? [] : [toGraded(row, row.passed)]));
  const others = rows.length - graded.length;
  const ungraded = others === 0 ? [] : [`${plural(others, "run")} not counted: nothing tells whether the product is right.`];
  if (graded.length === 0) return ungraded.join("");
  return [formatPassTable(passTable(graded)), ...pairsOf(graded, topologies), ...ungraded].join("\n");
}

function pairsOf(graded: readonly GradedProduct[], [first, ...others]: readonly string[]): string[] {
  return others.map((other) => {
    const { both, onlyA, onlyB, neither, p } = comparePaired(graded, first ?? "", other);
    return `${first} against ${other}: both passed ${both}, only the first ${onlyA}, only the second ${onlyB}, neither ${neither}; exact McNemar p = ${p.toPrecision(3)}`;
  });
}

function toGraded(row: TaskRow, passed: boolean): GradedProduct {
  const { topology, task, seed, usage, seconds } = row;
  return { system: topology, task: `${task}#${seed}`, passed, tokens: tokensOf(usage), seconds };
}

const keyOf = (row: Pick<TaskRow, "topology" | "task" | "seed">): string => JSON.stringify([row.topology, row.task, row.seed]);
